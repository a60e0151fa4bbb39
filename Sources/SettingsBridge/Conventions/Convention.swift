public import MQTT

/// A way to put accessories on MQTT: which messages tell of a change.
///
/// Sessions and topics know nothing of conventions; a new one is a file or folder here and a line in
/// `BridgeConfiguration.conventions`. All but ``messages(for:)`` is for those that need more than to follow changes.
public protocol Convention: Sendable {
    /// The messages that publish the news in `change`, in the order in which they must arrive. Called in the order of
    /// the changes of an accessory, and at the same time for different accessories.
    func messages(for change: AccessoryChange) -> [MQTTMessage]

    /// What is published of the bridge itself with each connection.
    func bridgeMessages() -> [MQTTMessage]

    /// Filters outside the base topic whose messages the convention wants.
    var subscriptions: [MQTTSubscription] { get }

    /// A message of the ``subscriptions``.
    func received(_ message: MQTTMessage)

    /// Filters of what an earlier run may have left retained outside the base topic.
    var sweepFilters: [String] { get }

    /// Takes note of what an earlier run left.
    ///
    /// - Parameter accessories: those of this run.
    /// - Returns: the messages that clear what is no longer wanted.
    func clearing(_ retained: [MQTTMessage], allBut accessories: [String]) -> [MQTTMessage]

    /// The messages that clear everything about an accessory that is no more, in the order in which they must arrive.
    ///
    /// - Parameter settings: the settings that it may have had.
    func clearing(_ accessory: String, _ settings: [String]) -> [MQTTMessage]

    /// Forgets what was published of an accessory that is no more.
    func forget(_ accessory: String)

    /// The messages that clear what is published of the bridge itself, for one that moves to another place.
    func clearingOfBridge() -> [MQTTMessage]

    /// Gives the convention a way to publish later, by itself. Called once, before anything is published.
    func attach(_ outlet: ConventionOutlet)
}

extension Convention {
    public func bridgeMessages() -> [MQTTMessage] { [] }
    public var subscriptions: [MQTTSubscription] { [] }
    public func received(_ message: MQTTMessage) {}
    public var sweepFilters: [String] { [] }
    public func clearing(_ retained: [MQTTMessage], allBut accessories: [String]) -> [MQTTMessage] { [] }
    public func clearing(_ accessory: String, _ settings: [String]) -> [MQTTMessage] { [] }
    public func forget(_ accessory: String) {}
    public func clearingOfBridge() -> [MQTTMessage] { [] }
    public func attach(_ outlet: ConventionOutlet) {}
}

/// What a convention may do by itself.
public struct ConventionOutlet: Sendable {
    /// Publishes; without a connection nothing happens.
    public var publish: @Sendable ([MQTTMessage]) -> Void
    /// Publishes everything there is to say of all accessories again.
    public var republish: @Sendable () async -> Void
    /// Publishes the values of one accessory again.
    public var republishValues: @Sendable (_ accessory: String) async -> Void

    public init(
        publish: @escaping @Sendable ([MQTTMessage]) -> Void, republish: @escaping @Sendable () async -> Void,
        republishValues: @escaping @Sendable (_ accessory: String) async -> Void
    ) {
        self.publish = publish
        self.republish = republish
        self.republishValues = republishValues
    }
}

extension BridgeConfiguration {
    /// The conventions that accessories are published by. Home Assistant's comes first: it must know an entity before
    /// its state.
    func conventions() -> [any Convention] {
        let topics = BridgeTopics(base: mqtt.baseTopic)
        return [HomeAssistantConvention(homeAssistant, topics: topics), PlainTopics(topics)]
    }
}
