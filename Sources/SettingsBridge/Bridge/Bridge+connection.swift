import MQTT

/// What happens with the connection.
extension Bridge {
    nonisolated func handle(_ events: MQTTEvents) async {
        var report = ConnectionReport(log: output.log, status: connectionStateChanged)
        for await event in events {
            report.note(event)
            switch event {
            case .connected(let connection): await connected(connection)
            case .disconnected: await disconnected()
            case .roomForPublishes: await link?.outbox.roomForPublishes()
            case .publishRefused(let topic, let reason): await noteRefusal(of: topic, reason)
            case .message, .connectionFailed: break
            }
        }
    }

    private func connected(_ connection: MQTTConnection) async {
        guard !isStopping, !isLeaving, let link else { return }
        subscribing?.cancel()
        guard await subscribe(link, connection.protocolVersion), !isStopping, !isLeaving,
            self.link?.client === link.client
        else { return }
        self.link?.version = connection.protocolVersion
        link.outbox.connected()
        warnOfRetainedCommands()
        publishEverything()
        watchRefusals()
    }

    /// Publishes all there is to say.
    func publishEverything() {
        guard !isStopping, let link, link.version != nil else { return }
        publishClearing()
        link.outbox.publish(link.conventions.flatMap { $0.bridgeMessages() })
        // Accessories first: where the bridge is online, everything below it is as it says.
        for session in sessions.active { session.connected() }
        publishInfo()
        publishHealth()
        link.outbox.publish([MQTTMessage(topic: link.topics.state, payload: PlainTopics.online, isRetained: true)])
    }

    /// Subscribes to the commands; where the broker refuses, again every ten seconds.
    ///
    /// - Returns: `false` if there is no connection any more.
    private func subscribe(_ link: Link, _ version: MQTTProtocolVersion) async -> Bool {
        let subscriptions = link.subscriptions(version)
        guard let error = await refusal(of: subscriptions, link) else { return true }
        if case .notConnected = error { return false }
        subscribing = Task {
            while !Task.isCancelled {
                try? await Task.sleep(for: .seconds(10))
                guard !Task.isCancelled, await refusal(of: subscriptions, link) != nil else { return }
            }
        }
        return true
    }

    /// Subscribes.
    ///
    /// - Returns: why it was not possible.
    private func refusal(of subscriptions: [MQTTSubscription], _ link: Link) async -> MQTTError? {
        do throws(MQTTError) {
            try await link.client.subscribe(subscriptions)
        } catch {
            // The next connection will subscribe.
            if case .notConnected = error { return error }
            noteSubscriptions(error)
            return error
        }
        noteSubscriptions(nil)
        return nil
    }

    private func warnOfRetainedCommands() {
        for topic in link?.retainedCommands ?? [] {
            let quoted = "'\(topic.replacing("'", with: "'\\''"))'"
            log.write(.warning, "mqtt", isItem: true) {
                "a retained command lies on \(topic); it is not carried out. To clear it: mosquitto_pub -r -n -t \(quoted)"
            }
        }
        link?.retainedCommands = []
    }

    private func disconnected() {
        link?.version = nil
        link?.outbox.disconnected()
        forgetRefusalWatch()
        for session in sessions.active { session.disconnected() }
    }
}
