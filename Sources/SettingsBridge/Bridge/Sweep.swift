import Foundation
import MQTT

/// What earlier runs left on the broker.
struct SweepFindings: Sendable {
    /// The settings that an accessory's retained `settings` lists, by accessory.
    var settings: [String: [String]] = [:]
    /// Accessories whose `availability` is retained; one that was never read has nothing else.
    var accessories: Set<String> = []
    /// Topics of retained commands.
    var commands: [String] = []
    /// What lies retained outside the base topic, for the conventions to look at.
    var outside: [MQTTMessage] = []
    var bridgeState: [UInt8] = []
    /// Client identifier in the retained `bridge/info`.
    var clientID: String?
    /// The protocol version that the broker took.
    var version: MQTTProtocolVersion?

    /// The client identifier of another bridge that runs on the same base topic.
    func otherBridge(than own: String) -> String? {
        guard bridgeState == PlainTopics.online, let clientID, clientID != own else { return nil }
        return clientID
    }
}

/// Reads back what earlier runs left on the broker, on a short connection of its own.
///
/// At QoS 0: mosquitto sends what is retained as fast as it is read, while at QoS 1 it drops what exceeds its queue.
struct Sweep: Sendable {
    let client: MQTTClient
    let topics: BridgeTopics
    /// What the conventions want to see of an earlier run.
    let conventionFilters: [String]
    let log: Log

    /// Waits for the broker for as long as it takes.
    ///
    /// - Returns: `nil` when the client was stopped before the sweep was complete.
    func run() async -> SweepFindings? {
        await withTaskGroup(of: SweepFindings?.self) { group in
            group.addTask {
                await client.run()
                return nil
            }
            group.addTask {
                let findings = await read()
                await client.stop()
                return findings
            }
            var findings: SweepFindings?
            for await result in group { findings = findings ?? result }
            return findings
        }
    }

    private func read() async -> SweepFindings? {
        let marker = MQTTMessage(
            topic: "\(topics.base)/bridge/sweep/\(UUID().uuidString)", payload: "end", qos: .atMostOnce)
        var findings = SweepFindings()
        var asking: Task<Void, Never>?
        defer { asking?.cancel() }
        var report = ConnectionReport(log: log, levelOfSuccess: .debug)
        for await event in client.events {
            report.note(event)
            switch event {
            case .connected(let connection):
                findings = SweepFindings(version: connection.protocolVersion)
                asking?.cancel()
                asking = Task { await ask(marker) }
            case .message(let message):
                if message.topic == marker.topic { return findings }
                note(message, in: &findings)
            case .connectionFailed, .disconnected, .publishRefused, .roomForPublishes: break
            }
        }
        return nil
    }

    /// Asks for what is retained, and again for as long as the marker does not come back.
    private func ask(_ marker: MQTTMessage) async {
        var reported: String?
        while !Task.isCancelled {
            var problem =
                "the broker does not return what is published on \(marker.topic); may the client do both there?"
            do throws(MQTTError) {
                try await client.subscribe(filters(marker.topic).map { MQTTSubscription(filter: $0, qos: .atMostOnce) })
                _ = try client.publish(marker)
            } catch {
                if case .notConnected = error { return }
                problem = error.description
            }
            try? await Task.sleep(for: .seconds(10))
            guard !Task.isCancelled else { return }
            if problem != reported { log.error("mqtt", "what earlier runs published can't be read: \(problem)") }
            reported = problem
        }
    }

    private func filters(_ marker: String) -> [String] {
        [topics.state, topics.info] + ["/+/settings", "/+/availability", "/+/set", "/+/+/set"].map { topics.base + $0 }
            + conventionFilters
            + [marker]
    }

    private func note(_ message: MQTTMessage, in findings: inout SweepFindings) {
        guard message.isRetained, !message.payload.isEmpty else { return }
        switch message.topic {
        case topics.state: findings.bridgeState = message.payload
        case topics.info: findings.clientID = BridgeInfo.clientID(in: message.payload)
        case let topic where !topic.hasPrefix(topics.base + "/"): findings.outside.append(message)
        case let topic where topic.hasSuffix("/set"): findings.commands.append(topic)
        case let topic where topic.hasSuffix("/availability"):
            let level = topic.dropFirst(topics.base.count + 1).dropLast("/availability".count)
            if let accessory = TopicLevel.decode(level) { findings.accessories.insert(accessory) }
        default:
            // Only what lies where it says it belongs is ours to clear.
            guard let (accessory, settings) = Descriptors.identifiers(in: message.payload),
                topics.accessory(accessory).descriptors.hasSameBytes(as: message.topic)
            else { return }
            findings.settings[accessory] = settings
        }
    }
}

extension SweepFindings {
    /// The messages that clear what is left of accessories that the configuration no longer has. `settings` comes last:
    /// a clearing that is interrupted is found and completed by the next sweep.
    func clearing(allBut accessories: Set<String>, _ topics: BridgeTopics) -> [MQTTMessage] {
        self.accessories.union(settings.keys).subtracting(accessories).sorted()
            .flatMap { accessory in
                let own = topics.accessory(accessory)
                return (settings[accessory] ?? []).flatMap { [own.availability(of: $0), own.value(of: $0)] }
                    + [own.values, own.availability, own.descriptors]
            }
            .map { MQTTMessage(topic: $0, payload: [], isRetained: true) }
    }
}
