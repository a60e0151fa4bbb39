import MQTT
import Synchronization

/// What is to be published, on its way to the client.
///
/// Nothing waits here as long as the broker keeps up. When the client takes no more, a retained topic is only marked
/// with its newest message, so that what waits is bounded by the number of topics; of other messages at most
/// ``limit`` wait, and those beyond are dropped and counted.
final class Outbox: Sendable {
    /// How many messages that are not retained may wait.
    static let limit = 1_000

    fileprivate struct State {
        var isConnected = false
        var hasRoom = true
        /// In the order in which they go out; `nil` where a newer message of the topic stands further back.
        var waiting: [MQTTMessage?] = []
        var first = 0
        /// Where the message of a retained topic waits.
        var positions: [String: Int] = [:]
        var unretained = 0
        var dropped = 0
    }

    private let client: MQTTClient
    private let state = Mutex(State())

    init(_ client: MQTTClient) {
        self.client = client
    }

    /// How many messages had to be dropped so far.
    var dropped: Int { state.withLock { $0.dropped } }

    /// Publishes, or keeps what the client does not take. While there is no connection only answers are kept: what is
    /// retained is published again when there is one, and log lines of that time would come too late.
    func publish(_ messages: [MQTTMessage]) {
        guard !messages.isEmpty else { return }
        state.withLock { state in
            for message in messages {
                if state.isConnected, state.hasRoom, state.isEmpty {
                    send(message, &state)
                } else if state.isConnected || message.isAnswer {
                    state.keep(message)
                }
            }
        }
    }

    func connected() {
        state.withLock { state in
            state.isConnected = true
            state.hasRoom = true
            drain(&state)
        }
    }

    func disconnected() {
        state.withLock { state in
            state.isConnected = false
            let answers = state.waiting[state.first...].compactMap(\.self).filter(\.isAnswer)
            state.removeAll()
            for message in answers { state.keep(message) }
        }
    }

    /// The client takes messages again.
    func roomForPublishes() {
        state.withLock { state in
            state.hasRoom = true
            drain(&state)
        }
    }

    private func drain(_ state: inout State) {
        while state.isConnected, state.hasRoom, let message = state.takeFirst() {
            send(message, &state)
        }
    }

    private func send(_ message: MQTTMessage, _ state: inout State) {
        do {
            if try client.publish(message) == .full {
                state.hasRoom = false
                state.keep(message)
            }
        } catch .notConnected {
            // The event is on its way; until then nothing more is tried.
            state.isConnected = false
            if message.isAnswer { state.keep(message) }
        } catch {
            // This message can't be published, whenever it is tried.
            state.dropped += 1
        }
    }
}

extension Outbox.State {
    var isEmpty: Bool { first == waiting.count }

    mutating func keep(_ message: MQTTMessage) {
        if message.isRetained {
            // Where the topic already waits it goes to the back with its newest message: what was published in one go
            // stays in its order.
            if let position = positions.updateValue(waiting.count, forKey: message.topic) { waiting[position] = nil }
        } else {
            guard unretained < Outbox.limit else {
                dropped += 1
                return
            }
            unretained += 1
        }
        waiting.append(message)
        if waiting.count > 64, waiting.count > 4 * (positions.count + unretained) { compact() }
    }

    mutating func takeFirst() -> MQTTMessage? {
        while first < waiting.count {
            let position = first
            first += 1
            guard let message = waiting[position] else { continue }
            if message.isRetained { positions[message.topic] = nil } else { unretained -= 1 }
            if isEmpty { removeAll() } else { waiting[position] = nil }
            return message
        }
        removeAll()
        return nil
    }

    mutating func removeAll() {
        waiting = []
        first = 0
        positions = [:]
        unretained = 0
    }

    private mutating func compact() {
        waiting = waiting[first...].filter { $0 != nil }
        first = 0
        for (position, message) in waiting.enumerated() {
            if let message, message.isRetained { positions[message.topic] = position }
        }
    }
}

extension MQTTMessage {
    /// Whether somebody waits for it: neither a state nor a line of the log.
    fileprivate var isAnswer: Bool { !isRetained && qos != .atMostOnce }
}
