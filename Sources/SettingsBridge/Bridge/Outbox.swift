import MQTT
import Synchronization

/// What is to be published, on its way to the client.
///
/// Nothing waits here as long as the broker keeps up. When the client takes no more, a retained topic is only marked
/// with its newest message, so that what waits is bounded by the number of topics. Of answers at most ``answerLimit``
/// wait, of log lines ``logLimit``; those beyond are dropped and counted.
final class Outbox: Sendable {
    static let answerLimit = 10_000
    static let answerByteLimit = 4 << 20
    static let logLimit = 100

    /// Hands a message to the client.
    ///
    /// - Parameter pastLimit: whether it goes even if too much is unacknowledged.
    typealias Send = @Sendable (_ message: MQTTMessage, _ pastLimit: Bool) throws(MQTTError) -> PublishResult

    /// A message that can't be published, whenever it is tried.
    struct Failure: Sendable {
        var topic: String
        var error: MQTTError
    }

    fileprivate struct State {
        var isConnected = false
        var isFinished = false
        /// Whether the connection was left for another; then nothing is sent any more.
        var isLeft = false
        /// Takes the answers that come afterwards.
        var successor: Outbox?
        var hasRoom = true
        /// In the order in which they go out; `nil` where a newer message of the topic stands further back.
        var waiting: [MQTTMessage?] = []
        var first = 0
        /// Where the message of a retained topic waits.
        var positions: [String: Int] = [:]
        var answers = 0
        var answerBytes = 0
        var logLines = 0
        var dropped = 0
    }

    private let send: Send
    /// Told what can't be published of what had to wait.
    private let reportFailures: @Sendable ([Failure]) -> Void
    private let state = Mutex(State())

    init(_ send: @escaping Send, reportFailures: @escaping @Sendable ([Failure]) -> Void = { _ in }) {
        self.send = send
        self.reportFailures = reportFailures
    }

    convenience init(_ client: MQTTClient, reportFailures: @escaping @Sendable ([Failure]) -> Void) {
        self.init(
            { message, pastLimit throws(MQTTError) in try client.publish(message, pastLimit: pastLimit) },
            reportFailures: reportFailures)
    }

    var isConnected: Bool { state.withLock { $0.isConnected } }

    /// How many messages had to be dropped so far.
    var dropped: Int { state.withLock { $0.dropped } }

    /// Publishes, or keeps what the client does not take. While there is no connection only answers are kept: what is
    /// retained is published again when there is one, and log lines of that time would come too late.
    ///
    /// - Returns: what can't be published at all.
    @discardableResult func publish(_ messages: [MQTTMessage]) -> [Failure] {
        guard !messages.isEmpty else { return [] }
        var successor: Outbox?
        let failures = state.withLock { state -> [Failure] in
            guard !state.isFinished else {
                // Who is told `stopping` now would otherwise wait for ever: the broker has handed the command over.
                for message in messages where message.role == .answer { _ = try? send(message, true) }
                return []
            }
            successor = state.successor
            guard successor == nil else { return [] }
            var failures: [Failure] = []
            for message in messages {
                if state.isConnected, state.hasRoom, state.isEmpty {
                    if !attempt(message, &state, &failures) { state.keepFirst(message) }
                } else if state.isConnected || message.role == .answer {
                    state.keep(message)
                }
            }
            return failures
        }
        return failures + (successor?.publish(messages.filter { $0.role == .answer }) ?? [])
    }

    func connected() {
        state.withLock { state in
            guard !state.isLeft else { return }
            state.isConnected = true
            state.hasRoom = true
        }
        drain()
    }

    func disconnected() {
        state.withLock { $0.disconnect() }
    }

    /// The client takes messages again.
    func roomForPublishes() {
        state.withLock { $0.hasRoom = true }
        drain()
    }

    /// Sends the answers that wait, and a last message, past everything else. Afterwards only answers are published.
    func finish(with last: MQTTMessage) {
        state.withLock { state in
            guard !state.isLeft else { return }
            state.isFinished = true
            _ = say(last, &state)
        }
    }

    /// Sends the answers that wait, and a last message, past everything else. Answers that come afterwards are kept for
    /// ``handOver(to:)``.
    func leave(with last: MQTTMessage) {
        state.withLock { state in
            guard !state.isLeft else { return }
            let unsaid = say(last, &state)
            state.isLeft = true
            state.isConnected = false
            for answer in unsaid { state.keep(answer) }
        }
    }

    /// Gives another outbox the answers that wait here, and those that are yet to come.
    func handOver(to successor: Outbox) {
        let answers = state.withLock { state in
            state.isLeft = true
            state.disconnect()
            state.successor = successor
            var answers: [MQTTMessage] = []
            while let answer = state.takeFirst() { answers.append(answer) }
            return answers
        }
        successor.publish(answers)
    }

    /// Whether nothing waits.
    var isEmpty: Bool { state.withLock { $0.isEmpty } }

    /// - Returns: the answers that could not be sent.
    private func say(_ last: MQTTMessage, _ state: inout State) -> [MQTTMessage] {
        var unsaid: [MQTTMessage] = []
        while let message = state.takeFirst() {
            guard message.role == .answer else { continue }
            if (try? send(message, true)) == nil { unsaid.append(message) }
        }
        _ = try? send(last, true)
        return unsaid
    }

    private func drain() {
        let failures = state.withLock { state in
            var failures: [Failure] = []
            while state.isConnected, state.hasRoom, let message = state.takeFirst() {
                if !attempt(message, &state, &failures) { state.keepFirst(message) }
            }
            return failures
        }
        if !failures.isEmpty { reportFailures(failures) }
    }

    /// - Returns: whether the message is dealt with; `false` if it is to wait.
    private func attempt(_ message: MQTTMessage, _ state: inout State, _ failures: inout [Failure]) -> Bool {
        do throws(MQTTError) {
            if try send(message, false) == .sent { return true }
            state.hasRoom = false
            return false
        } catch .notConnected {
            // The event is on its way; until then nothing more is tried.
            state.disconnect()
            return message.role != .answer
        } catch {
            state.dropped += 1
            failures.append(Failure(topic: message.topic, error: error))
            return true
        }
    }
}

extension Outbox.State {
    var isEmpty: Bool { first == waiting.count }

    mutating func keep(_ message: MQTTMessage) {
        guard count(message, by: 1) else { return }
        // Where the topic already waits it goes to the back with its newest message: what was published in one go stays
        // in its order.
        if message.isRetained, let position = positions.updateValue(waiting.count, forKey: message.topic) {
            waiting[position] = nil
        }
        waiting.append(message)
        if waiting.count > 64, waiting.count > 4 * (positions.count + answers + logLines) { compact() }
    }

    /// Puts a message back before all others.
    mutating func keepFirst(_ message: MQTTMessage) {
        guard count(message, by: 1) else { return }
        if first == 0 { compact(room: 1) }
        first -= 1
        waiting[first] = message
        if message.isRetained { positions[message.topic] = first }
    }

    mutating func takeFirst() -> MQTTMessage? {
        while first < waiting.count {
            let message = waiting[first]
            waiting[first] = nil
            first += 1
            guard let message else { continue }
            if message.isRetained { positions[message.topic] = nil }
            _ = count(message, by: -1)
            return message
        }
        removeAll()
        return nil
    }

    mutating func disconnect() {
        isConnected = false
        let kept = waiting[first...].compactMap(\.self).filter { $0.role == .answer }
        removeAll()
        for message in kept { keep(message) }
    }

    private mutating func removeAll() {
        waiting = []
        first = 0
        positions = [:]
        answers = 0
        answerBytes = 0
        logLines = 0
    }

    /// - Returns: whether there is a place for the message.
    private mutating func count(_ message: MQTTMessage, by difference: Int) -> Bool {
        switch message.role {
        case .state: return true
        case .answer
        where difference < 0
            || (answers < Outbox.answerLimit && answerBytes + message.payload.count <= Outbox.answerByteLimit):
            answers += difference
            answerBytes += difference * message.payload.count
        case .logLine where difference < 0 || logLines < Outbox.logLimit: logLines += difference
        default:
            dropped += 1
            return false
        }
        return true
    }

    /// - Parameter room: places to leave before the first message.
    private mutating func compact(room: Int = 0) {
        waiting = [MQTTMessage?](repeating: nil, count: room) + waiting[first...].filter { $0 != nil }
        first = room
        for (position, message) in waiting.enumerated() {
            if let message, message.isRetained { positions[message.topic] = position }
        }
    }
}

extension MQTTMessage {
    fileprivate enum Role { case state, answer, logLine }

    fileprivate var role: Role {
        if isRetained { .state } else { qos == .atMostOnce ? .logLine : .answer }
    }
}
