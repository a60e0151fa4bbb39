import MQTT
import Synchronization

/// Turns what sessions have to say into messages and log lines.
struct BridgeOutput: SessionOutput {
    let link: CurrentLink
    let log: Log
    /// Called when an accessory has gone online or offline.
    private let availabilityChanged: @Sendable () -> Void
    private let failures = ReportedTopics()

    init(link: CurrentLink, log: Log, availabilityChanged: @escaping @Sendable () -> Void) {
        self.link = link
        self.log = log
        self.availabilityChanged = availabilityChanged
    }

    func publish(_ change: AccessoryChange) {
        guard let link = link.value else { return }
        for convention in link.conventions {
            let messages = convention.messages(for: change)
            let failed = link.outbox.publish(messages)
            for failure in failed { report(failure) }
            reportEnds(messages.map(\.topic).filter { topic in !failed.contains { $0.topic == topic } }, link.outbox)
        }
        if change.parts.availability && !change.parts.isComplete { availabilityChanged() }
    }

    /// Says once for each topic that it can't be published.
    func report(_ failure: Outbox.Failure) {
        guard failures.isFirst(failure.topic) else { return }
        log.error("mqtt", "\(failure.topic) can't be published: \(failure.error)")
    }

    /// Says once for each topic that it could be published after all.
    private func reportEnds(_ topics: @autoclosure () -> [String], _ outbox: Outbox) {
        guard !failures.isEmpty, outbox.isConnected else { return }
        for topic in topics() where failures.remove(topic) { log.info("mqtt", "\(topic) can be published again") }
    }

    func answer(_ answer: Answer) {
        respond(to: answer.sender, verb: answer.verb.rawValue, answer.json())
    }

    /// Sends a response where the sender wants it, else to the bridge's own response topic. One that the broker does not
    /// take, because it is too large, is replaced by one that says so.
    func respond(to sender: Sender, verb: String, _ json: [UInt8]) {
        guard let link = link.value else { return }
        func message(_ json: [UInt8]) -> MQTTMessage {
            MQTTMessage(
                topic: sender.responseTopic ?? link.topics.response(to: verb), payload: json,
                properties: MQTTProperties(correlationData: sender.correlationData, contentType: "application/json"))
        }
        let failures = link.outbox.publish([message(json)])
        for failure in failures {
            report(failure)
            guard case .tooLarge = failure.error else { continue }
            let refusal = Refusal(
                .tooLong, "the answer to \(verb) is larger than the broker takes: \(json.count) bytes")
            link.outbox.publish([
                message(
                    ResponseStatus.json(
                        .error(message: refusal.message, [refusal]), transaction: sender.transaction))
            ])
        }
    }

    func log(_ level: LogLevel, accessory: String, _ message: String) {
        log.write(level, accessory) { message }
    }
}

extension Sender {
    /// The sender of a message: where it wants its answer.
    ///
    /// A response topic below the base topic or the discovery prefix is not used: with it anybody who may send
    /// commands could make the bridge overwrite states or send commands.
    init(of message: MQTTMessage, base: String, discovery: String) {
        self.init(correlationData: message.properties.correlationData)
        guard let topic = message.properties.responseTopic else { return }
        gaveResponseTopic = true
        let isUsable =
            !topic.isEmpty && topic.utf8.first != UInt8(ascii: "$")
            && !topic.utf8.contains { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "#") }
            && ![base, discovery].contains { (topic + "/").utf8.starts(with: ($0 + "/").utf8) }
        if isUsable { responseTopic = topic }
    }
}

/// The topics that something was said about already.
private final class ReportedTopics: Sendable {
    private let topics = Mutex<Set<String>>([])

    var isEmpty: Bool { topics.withLock { $0.isEmpty } }

    func isFirst(_ topic: String) -> Bool { topics.withLock { $0.insert(topic).inserted } }

    /// - Returns: whether it was among them.
    func remove(_ topic: String) -> Bool { topics.withLock { $0.remove(topic) != nil } }
}
