import Foundation
import MQTT
import Synchronization

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
    ///
    /// - Parameter own: the client identifiers of this bridge, the one of its last connection among them.
    func otherBridge(than own: [String]) -> String? {
        guard bridgeState == PlainTopics.online, let clientID, !own.contains(clientID) else { return nil }
        return clientID
    }
}

/// Why a broker can't be used.
struct SweepFailure: Error {
    var reason: String
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
    /// Told in a sentence how the connection fares.
    let status: @Sendable (String) -> Void
    /// Whom the broker would have to allow something.
    let who: String

    init(
        client: MQTTClient, _ configuration: BridgeConfiguration, log: Log,
        status: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.client = client
        self.status = status
        who = configuration.mqtt.who
        topics = BridgeTopics(base: configuration.mqtt.baseTopic)
        conventionFilters = configuration.conventions().flatMap(\.sweepFilters)
        self.log = log
    }

    /// Tries it once.
    ///
    /// - Throws: why the broker can't be used; within the limit at the latest.
    func attempt(within limit: Duration) async throws(SweepFailure) -> SweepFindings {
        let timer = Task {
            try await Task.sleep(for: limit)
            await client.stop()
        }
        defer { timer.cancel() }
        switch await run(isPatient: false) {
        case .success(let findings): return findings
        case .failure(let failure): throw failure
        case nil: throw SweepFailure(reason: "what lies retained there could not be read within \(limit.text)")
        }
    }

    /// Waits for the broker for as long as it takes.
    ///
    /// - Returns: `nil` when the client was stopped before the sweep was complete.
    func run() async -> SweepFindings? {
        try? await run(isPatient: true)?.get()
    }

    /// - Returns: `nil` when the client was stopped before the sweep was complete.
    private func run(isPatient: Bool) async -> Result<SweepFindings, SweepFailure>? {
        await withTaskGroup(of: Result<SweepFindings, SweepFailure>?.self) { group in
            group.addTask {
                await client.run()
                return nil
            }
            group.addTask {
                let result = await read(isPatient: isPatient)
                await client.stop()
                return result
            }
            var result: Result<SweepFindings, SweepFailure>?
            for await next in group { result = result ?? next }
            return result
        }
    }

    private func read(isPatient: Bool) async -> Result<SweepFindings, SweepFailure>? {
        let marker = MQTTMessage(
            topic: "\(topics.base)/bridge/sweep/\(UUID().uuidString)", payload: "end", qos: .atMostOnce)
        var findings = SweepFindings()
        var asking: Task<Void, Never>?
        defer { asking?.cancel() }
        var report = ConnectionReport(log: log, isSweep: true, status: status)
        let problem = SweepProblem()
        for await event in client.events {
            if isPatient { report.note(event) }
            switch event {
            case .connected(let connection):
                findings = SweepFindings(version: connection.protocolVersion)
                asking?.cancel()
                asking = Task { await ask(marker, problem) }
            case .message(let message):
                if message.topic == marker.topic {
                    if problem.isReported { log.info("mqtt", "what earlier runs published could be read now") }
                    return .success(findings)
                }
                note(message, in: &findings)
            case .connectionFailed(let failure, _, _), .disconnected(let failure, _):
                if !isPatient { return .failure(SweepFailure(reason: failure.description)) }
            case .publishRefused, .roomForPublishes: break
            }
        }
        return nil
    }

    /// Asks for what is retained, and again for as long as the marker does not come back.
    private func ask(_ marker: MQTTMessage, _ reported: SweepProblem) async {
        while !Task.isCancelled {
            var problem =
                "the broker does not return what is published on \(marker.topic); may \(who) do both there?"
            do throws(MQTTError) {
                try await client.subscribe(filters(marker.topic).map { MQTTSubscription(filter: $0, qos: .atMostOnce) })
                _ = try client.publish(marker)
            } catch {
                if case .notConnected = error { return }
                problem = error.description
            }
            try? await Task.sleep(for: .seconds(10))
            guard !Task.isCancelled else { return }
            if reported.isNews(problem) { log.error("mqtt", "what earlier runs published can't be read: \(problem)") }
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
        case let topic where !topics.contain(topic): findings.outside.append(message)
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

/// What the log says of a sweep that gets no further.
private final class SweepProblem: Sendable {
    private let sentence = Mutex<String?>(nil)

    var isReported: Bool { sentence.withLock { $0 != nil } }

    func isNews(_ sentence: String) -> Bool {
        self.sentence.withLock { known in
            defer { known = sentence }
            return known != sentence
        }
    }
}
