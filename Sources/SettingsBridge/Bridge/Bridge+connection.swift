import MQTT

/// What happens with the connection.
extension Bridge {
    nonisolated func handle(_ events: MQTTEvents) async {
        var report = ConnectionReport(log: output.log)
        for await event in events {
            report.note(event)
            switch event {
            case .connected(let connection): await connected(connection)
            case .disconnected: await disconnected()
            case .roomForPublishes: await link?.outbox.roomForPublishes()
            case .message, .connectionFailed, .publishRefused: break
            }
        }
    }

    private func connected(_ connection: MQTTConnection) async {
        guard !isStopping, let link else { return }
        subscribing?.cancel()
        guard await subscribe(link, connection.protocolVersion), !isStopping, self.link?.client === link.client else {
            return
        }
        self.link?.version = connection.protocolVersion
        link.outbox.connected()
        publishClearing()
        warnOfRetainedCommands()
        link.outbox.publish(link.conventions.flatMap { $0.bridgeMessages() })
        // Accessories first: where the bridge is online, everything below it is as it says.
        for session in sessions.active { session.connected() }
        publishInfo()
        publishHealth()
        link.outbox.publish([MQTTMessage(topic: link.topics.state, payload: PlainTopics.online, isRetained: true)])
    }

    private func publishClearing() {
        guard let link, link.version != nil else { return }
        link.outbox.publish(link.clearing)
    }

    /// Subscribes to the commands; where the broker refuses, again every ten seconds.
    ///
    /// - Returns: `false` if there is no connection any more.
    private func subscribe(_ link: Link, _ version: MQTTProtocolVersion) async -> Bool {
        let subscriptions = link.subscriptions(version)
        do throws(MQTTError) {
            try await link.client.subscribe(subscriptions)
        } catch {
            if case .notConnected = error { return false }
            log.error("mqtt", "no commands can be received: \(error)")
            subscribing = Task {
                while !Task.isCancelled {
                    try? await Task.sleep(for: .seconds(10))
                    guard !Task.isCancelled, (try? await link.client.subscribe(subscriptions)) == nil else { break }
                }
                if !Task.isCancelled { log.info("mqtt", "commands can be received now") }
            }
        }
        return true
    }

    private func warnOfRetainedCommands() {
        for topic in link?.retainedCommands ?? [] {
            let quoted = "'\(topic.replacing("'", with: "'\\''"))'"
            log.warning(
                "mqtt",
                "a retained command lies on \(topic); it is not carried out. To clear it: mosquitto_pub -r -n -t \(quoted)"
            )
        }
        link?.retainedCommands = []
    }

    private func disconnected() {
        link?.version = nil
        link?.outbox.disconnected()
        for session in sessions.active { session.disconnected() }
    }
}
