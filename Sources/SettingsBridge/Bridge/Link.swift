import MQTT
import Synchronization

/// What belongs to one broker and base topic: exists from the sweep until a reload chooses another.
struct Link: Sendable {
    let clientID: String
    let topics: BridgeTopics
    let conventions: [any Convention]
    let client: MQTTClient
    let outbox: Outbox
    /// The prefix of Home Assistant's discovery, on which no answers are published.
    let discoveryTopic: String
    /// The settings that earlier runs have published, by accessory.
    let formerSettings: [String: [String]]
    /// What earlier runs and removed accessories left and the broker has not yet acknowledged to be cleared.
    var clearing: [MQTTMessage]
    /// Topics of retained commands that the log has not spoken of yet.
    var retainedCommands: [String]
    /// `nil` while there is no connection.
    var version: MQTTProtocolVersion?

    func map(of accessories: some Sequence<String>) -> TopicMap {
        TopicMap(base: topics.base, accessories: accessories)
    }

    func subscriptions(_ version: MQTTProtocolVersion) -> [MQTTSubscription] {
        map(of: []).subscriptions(version) + conventions.flatMap(\.subscriptions)
    }

    /// The messages that clear everything about accessories that are no more.
    func clearing(_ accessories: [(id: String, settings: [String])]) -> [MQTTMessage] {
        accessories.flatMap { accessory in
            // Entities go before their states do, so that nobody has to make sense of a cleared state.
            conventions.flatMap { $0.clearing(accessory.id, accessory.settings) }
        }
    }

    /// Clears an accessory's topics no more: it is there again.
    mutating func keep(_ accessory: String) {
        let own = topics.accessory(accessory).values
        let topics = Set(conventions.flatMap { $0.clearing(accessory, []) }.map(\.topic))
        clearing.removeAll { topics.contains($0.topic) || $0.topic.utf8.starts(with: (own + "/").utf8) }
    }
}

/// Where what sessions say goes at the moment; `nil` until the first sweep is done.
final class CurrentLink: Sendable {
    struct Target {
        var topics: BridgeTopics
        var conventions: [any Convention]
        var outbox: Outbox
    }

    private let target = Mutex<Target?>(nil)

    var value: Target? { target.withLock { $0 } }

    func clear() {
        target.withLock { $0 = nil }
    }

    func set(_ link: Link) {
        target.withLock {
            $0 = Target(topics: link.topics, conventions: link.conventions, outbox: link.outbox)
        }
    }
}
