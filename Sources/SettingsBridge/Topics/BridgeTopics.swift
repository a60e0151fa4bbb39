/// The topics of the bridge itself, below a base topic.
public struct BridgeTopics: Sendable {
    /// Without slashes at its ends.
    public let base: String

    public init(base: String) {
        self.base = base
    }

    /// Whether a topic, or a filter, lies below the base topic. Compared by bytes.
    func contain(_ topic: String) -> Bool { topic.utf8.starts(with: (base + "/").utf8) }

    public var state: String { base + "/bridge/state" }
    public var info: String { base + "/bridge/info" }
    public var health: String { base + "/bridge/health" }
    public var log: String { base + "/bridge/log" }

    public func response(to verb: String) -> String { base + "/bridge/response/" + verb }

    public func accessory(_ id: String) -> AccessoryTopics { AccessoryTopics(base: base, accessory: id) }
}

/// The topics of one accessory and its settings.
public struct AccessoryTopics: Sendable {
    /// The accessory JSON.
    public let values: String

    init(base: String, accessory: String) {
        values = base + "/" + TopicLevel.encode(accessory: accessory)
    }

    public var availability: String { values + "/availability" }
    public var descriptors: String { values + "/settings" }
    public var set: String { values + "/set" }

    public func value(of setting: String) -> String { values + "/" + TopicLevel.encode(setting: setting) }
    public func availability(of setting: String) -> String { value(of: setting) + "/availability" }
    public func set(_ setting: String) -> String { value(of: setting) + "/set" }
}
