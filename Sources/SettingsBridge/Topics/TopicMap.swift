import MQTT

/// What a topic below the base topic is about.
enum Route: Equatable, Sendable {
    case accessory(id: String, AccessoryRoute)
    /// A command for an accessory that the configuration does not have.
    case unknownAccessory(id: String, AccessoryRoute)
    case request(verb: String)
    /// One of the bridge's own outgoing topics, on which somebody else published.
    case bridgeState(topic: String)
    /// Not ours: nothing is subscribed to, or published on, such a topic.
    case none
}

/// What a topic below an accessory's topic is about. Identifiers are decoded.
enum AccessoryRoute: Hashable, Sendable {
    case set(setting: String?)
    case get(setting: String?)
    /// A state topic, on which somebody else published.
    case state(StateTopic)

    var isCommand: Bool {
        if case .state = self { false } else { true }
    }
}

/// The state topics of an accessory.
enum StateTopic: Hashable, Sendable {
    case values
    case availability
    case descriptors
    case value(setting: String)
    case settingAvailability(setting: String)
}

/// Finds which accessory and which setting a topic means.
struct TopicMap: Sendable {
    private let prefix: String
    private let accessories: Set<String>

    init(base: String, accessories: some Sequence<String>) {
        prefix = base + "/"
        self.accessories = Set(accessories)
    }

    /// What the bridge subscribes to. No two filters match one topic: with MQTT 5 mosquitto delivers a message once
    /// per matching subscription.
    func subscriptions(_ version: MQTTProtocolVersion) -> [MQTTSubscription] {
        switch version {
        case .v5:
            // Retained commands are old ones: `retainHandling: .never` keeps stored ones away, `retainAsPublished`
            // shows those that come live. All levels are subscribed so that foreign publishes on state topics are seen.
            ["+", "+/+", "+/+/+"].map {
                MQTTSubscription(
                    filter: prefix + $0, noLocal: true, retainAsPublished: true, retainHandling: .never)
            }
        case .v311:
            // Without *no local* the bridge would get its own states back.
            ["+/set", "+/get", "+/+/+"].map { MQTTSubscription(filter: prefix + $0) }
        }
    }

    func route(_ topic: String) -> Route {
        guard topic.utf8.starts(with: prefix.utf8) else { return .none }
        let levels = topic.utf8.dropFirst(prefix.utf8.count)
            .split(separator: UInt8(ascii: "/"), maxSplits: 4, omittingEmptySubsequences: false)
            .map { Substring($0) }
        if levels[0] == "bridge" { return bridgeRoute(levels.dropFirst(), topic: topic) }
        let accessory = identifier(levels[0])
        guard !accessory.isEmpty, let route = accessoryRoute(levels.dropFirst()) else { return .none }
        guard let position = accessories.firstIndex(of: accessory), accessories[position].hasSameBytes(as: accessory)
        else { return .unknownAccessory(id: accessory, route) }
        return .accessory(id: accessory, route)
    }

    private func bridgeRoute(_ levels: ArraySlice<Substring>, topic: String) -> Route {
        switch (levels.count, levels.first) {
        case (1, "state"), (1, "info"), (1, "health"): .bridgeState(topic: topic)
        case (2, "request"): levels.last.map { .request(verb: String($0)) } ?? .none
        default: .none
        }
    }

    /// A level that is no identifier's encoding stands for itself: nothing has that name, and the sender is told.
    private func identifier(_ level: Substring) -> String {
        TopicLevel.decode(level) ?? String(level)
    }

    private func accessoryRoute(_ levels: ArraySlice<Substring>) -> AccessoryRoute? {
        switch (levels.count, levels.last) {
        case (0, _): return .state(.values)
        case (1, "set"): return .set(setting: nil)
        case (1, "get"): return .get(setting: nil)
        case (1, "availability"): return .state(.availability)
        case (1, "settings"): return .state(.descriptors)
        case (1, let level?):
            return .state(.value(setting: identifier(level)))
        case (2, let last?):
            guard let setting = levels.first.map(identifier), !setting.isEmpty else { return nil }
            switch last {
            case "set": return .set(setting: setting)
            case "get": return .get(setting: setting)
            case "availability": return .state(.settingAvailability(setting: setting))
            default: return nil
            }
        default: return nil
        }
    }
}
