import Foundation
import Synchronization
import TestSupport
import Testing

/// A device of which only its messages exist: it hears with mosquitto_sub and answers with mosquitto_pub.
final class StandIn: Sendable {
    struct Reply {
        var topic: String
        var payload: String
        var isRetained = false
    }

    let subscriber: Subscriber
    private let task: Task<Void, any Error>

    /// - Parameter answer: what it says to a message.
    init(
        hearing filters: [String], on broker: Broker,
        answer: @escaping @Sendable (ReceivedMessage) -> [Reply] = { _ in [] }
    ) async throws {
        let subscriber = try await Subscriber(to: filters, on: broker)
        self.subscriber = subscriber
        task = Task {
            var count = 0
            while !Task.isCancelled {
                let messages = subscriber.messages
                for message in messages[count...] {
                    for reply in answer(message) {
                        try await broker.publish(topic: reply.topic, payload: reply.payload, retain: reply.isRetained)
                    }
                }
                count = messages.count
                try await Task.sleep(for: .milliseconds(5))
            }
        }
    }

    deinit { task.cancel() }
}

/// Counts the elements of a stream.
final class ChangeCounter: Sendable {
    private let state = Mutex(0)
    private let task = Mutex<Task<Void, Never>?>(nil)

    var count: Int { state.withLock { $0 } }

    init(_ stream: AsyncStream<Void>) {
        task.withLock {
            $0 = Task { [weak self] in
                for await _ in stream { self?.state.withLock { $0 += 1 } }
            }
        }
    }

    deinit { task.withLock { $0?.cancel() } }
}

extension Broker {
    /// The configuration that makes it the bridge's broker.
    var asBridges: String { #""mqtt": { "server": "mqtt://\#(host):\#(port)" },"# }
}

/// A topic's first level that no other test uses.
func ownTopic() -> String { "d\(UInt32.random(in: 0...UInt32.max))" }
