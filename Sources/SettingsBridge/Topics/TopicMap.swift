import MQTT

/// What a topic below the base topic is about.
enum Route: Equatable, Sendable {
    case accessory(id: String, AccessoryRoute)
    /// A command for an accessory that the configuration does not have.
    case unknownAccessory(id: String, AccessoryRoute)
    /// A command on a level that is no setting's encoding.
    case unknownSetting(accessory: String, level: String, isGet: Bool)
    case request(verb: String)
    /// One of the bridge's own outgoing topics, on which somebody else published.
    case bridgeState(topic: String)
    /// Not ours: nothing is subscribed to, or published on, such a topic.
    case ignored
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
        guard topic.utf8.starts(with: prefix.utf8) else { return .ignored }
        let levels = topic.utf8.dropFirst(prefix.utf8.count)
            .split(separator: UInt8(ascii: "/"), maxSplits: 4, omittingEmptySubsequences: false)
            .map { Substring($0) }
        if levels[0] == "bridge" { return bridgeRoute(levels.dropFirst(), topic: topic) }
        guard !levels[0].isEmpty else { return .ignored }
        let accessory = TopicLevel.decode(levels[0])
        let isKnown = accessory.map { name in
            TopicLevel.encode(accessory: name).hasSameBytes(as: String(levels[0]))
                && accessories.firstIndex(of: name).map { accessories[$0].hasSameBytes(as: name) } == true
        }
        switch (levels.count, levels.last) {
        case (2, "set"): return route(accessory, isKnown, levels[0], .set(setting: nil))
        case (2, "get"): return route(accessory, isKnown, levels[0], .get(setting: nil))
        case (3, "set"), (3, "get"):
            let isGet = levels[2] == "get"
            guard let setting = setting(levels[1]) else {
                guard let accessory, isKnown == true, !levels[1].isEmpty else { return .ignored }
                return .unknownSetting(accessory: accessory, level: String(levels[1]), isGet: isGet)
            }
            return route(accessory, isKnown, levels[0], isGet ? .get(setting: setting) : .set(setting: setting))
        default:
            guard let accessory, isKnown == true, let topic = stateTopic(levels.dropFirst()) else { return .ignored }
            return .accessory(id: accessory, .state(topic))
        }
    }

    private func route(_ accessory: String?, _ isKnown: Bool?, _ level: Substring, _ route: AccessoryRoute) -> Route {
        guard let accessory, isKnown == true else {
            return .unknownAccessory(id: accessory ?? String(level), route)
        }
        return .accessory(id: accessory, route)
    }

    private func bridgeRoute(_ levels: ArraySlice<Substring>, topic: String) -> Route {
        switch (levels.count, levels.first) {
        case (1, "state"), (1, "info"), (1, "health"): .bridgeState(topic: topic)
        case (2, "request"): levels.last.map { .request(verb: String($0)) } ?? .ignored
        default: .ignored
        }
    }

    private func stateTopic(_ levels: ArraySlice<Substring>) -> StateTopic? {
        switch (levels.count, levels.last) {
        case (0, _): .values
        case (1, "availability"): .availability
        case (1, "settings"): .descriptors
        case (1, let level?): setting(level).map { .value(setting: $0) }
        case (2, "availability"): levels.first.flatMap(setting).map { .settingAvailability(setting: $0) }
        default: nil
        }
    }

    /// The setting that a level stands for, by its one encoding; `nil` for any other level.
    private func setting(_ level: Substring) -> String? {
        guard let setting = TopicLevel.decode(level), !setting.isEmpty,
            TopicLevel.encode(setting: setting).hasSameBytes(as: String(level))
        else { return nil }
        return setting
    }
}
