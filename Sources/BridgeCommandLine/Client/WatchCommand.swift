import Foundation
import MQTT
import SettingsBridge

extension CommandLineTool {
    /// Prints changes as they come, until a signal ends it or nobody reads on.
    func watch(
        _ accessory: String?, _ setting: String?, at address: BridgeAddress, isJSON: Bool
    ) async throws(NoAnswer) -> ExitCode {
        let client = MQTTClient(address.connection)
        let interruption = Interruption { await client.stop() }
        defer { interruption.cancel() }
        let watch = Watch(
            client: client, address: address, accessory: accessory, setting: setting, isJSON: isJSON,
            programName: programName)
        try await withTaskGroup(of: Void.self) { group in
            group.addTask { await client.run() }
            let result: Result<Void, NoAnswer>
            do throws(NoAnswer) {
                result = .success(try await watch.run())
            } catch {
                result = .failure(error)
            }
            group.cancelAll()
            return result
        }.get()
        return .done
    }
}

/// What `watch` does.
private struct Watch {
    let client: MQTTClient
    let address: BridgeAddress
    let accessory: String?
    let setting: String?
    let isJSON: Bool
    let programName: String

    /// Ends when the client does, or when nobody reads on.
    func run() async throws(NoAnswer) {
        guard try await client.waitForConnection() else { return }
        try await subscribe()
        var changes = WatchedChanges(address.topics)
        var deadline: ContinuousClock.Instant? = .now + BridgeConnection.stateLimit
        while true {
            switch await client.nextEvent(until: deadline) {
            case nil:
                guard let passed = deadline, passed <= .now else { return }
                deadline = nil
                if let doubt = doubt(changes) { complain(doubt) }
            case .connected: try await subscribe()
            case .disconnected(let failure, _): complain("\(failure); connecting again")
            case .message(let message):
                guard let change = changes.take(message) else { continue }
                let line = isJSON ? change.json(at: .now) : change.line(at: .now)
                guard StandardStream.output.write(line + "\n") else { return }
            case .connectionFailed, .publishRefused, .roomForPublishes: break
            }
        }
    }

    /// QoS 0, since the broker drops what is retained beyond its queue otherwise; what is lost with a connection is seen in
    /// what is retained at the next one.
    private func subscribe() async throws(NoAnswer) {
        let topics = address.topics
        let own = accessory.map(topics.accessory)
        let filters =
            switch (own, setting) {
            case (nil, _): [topics.base + "/+/+", topics.base + "/+/+/availability"]
            case (let own?, nil): [own.values + "/+", own.values + "/+/availability"]
            case (let own?, let setting?): [own.availability, own.value(of: setting), own.availability(of: setting)]
            }
        do throws(MQTTError) {
            try await client.subscribe(
                ([topics.state] + filters).map { MQTTSubscription(filter: $0, qos: .atMostOnce) })
        } catch .notConnected {
            // The events tell why.
        } catch {
            throw NoAnswer(description: error.description)
        }
    }

    /// Why there may never be anything to see.
    private func doubt(_ changes: WatchedChanges) -> String? {
        guard changes.knows(address.topics.state) else { return "\(address.noBridge); watching for it" }
        guard let accessory else { return nil }
        let own = address.topics.accessory(accessory)
        guard changes.knows(own.availability) else { return "\(accessory): there is no accessory of this name so far" }
        guard let setting, !changes.knows(own.availability(of: setting)) else { return nil }
        return "\(accessory): there is no setting \(setting) so far"
    }

    private func complain(_ message: String) {
        StandardStream.error.write("\(programName): \(message.onOneLine)\n")
    }
}
