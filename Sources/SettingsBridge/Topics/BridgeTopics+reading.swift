/// What is published on a state topic of an accessory. Identifiers are decoded.
package enum AccessoryState: Hashable, Sendable {
    /// The accessory's `online` or `offline`.
    case availability(accessory: String)
    case value(accessory: String, setting: String)
    /// `online` or `offline`: whether the setting can be used.
    case settingAvailability(accessory: String, setting: String)
}

extension BridgeTopics {
    package func request(_ verb: String) -> String { base + "/bridge/request/" + verb }

    /// What the topic of a message is about; `nil` for topics on which no single value and no availability stands.
    package func accessoryState(_ topic: String) -> AccessoryState? {
        guard contain(topic) else { return nil }
        let levels = topic.utf8.dropFirst(base.utf8.count + 1)
            .split(separator: UInt8(ascii: "/"), maxSplits: 3, omittingEmptySubsequences: false).map { Substring($0) }
        guard levels.count > 1, !TopicLevel.reservedForAccessories.contains(String(levels[0])),
            let accessory = TopicLevel.decode(levels[0])
        else { return nil }
        let isAvailability = levels.last == "availability"
        switch (levels.count, isAvailability) {
        case (2, true): return .availability(accessory: accessory)
        case (2, false) where TopicLevel.reservedForSettings.contains(String(levels[1])): return nil
        case (2, false): return TopicLevel.decode(levels[1]).map { .value(accessory: accessory, setting: $0) }
        case (3, true):
            return TopicLevel.decode(levels[1]).map { .settingAvailability(accessory: accessory, setting: $0) }
        default: return nil
        }
    }
}
