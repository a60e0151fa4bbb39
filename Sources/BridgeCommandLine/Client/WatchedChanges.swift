import Foundation
import MQTT
import SettingsBridge

/// Something that changed.
enum WatchedChange: Equatable {
    case bridge(isOnline: Bool)
    case accessory(String, isOnline: Bool)
    case availability(accessory: String, setting: String, isAvailable: Bool)
    /// Without a value: unreadable, or an empty text.
    case value(accessory: String, setting: String, String?)
}

/// Finds what changes among what is published.
///
/// What is retained at the beginning is where changes start from; what is retained after another connection may have
/// changed meanwhile.
struct WatchedChanges {
    private let topics: BridgeTopics
    private var known: [String: [UInt8]] = [:]

    init(_ topics: BridgeTopics) {
        self.topics = topics
    }

    /// - Returns: what the message changes; `nil` when that is nothing.
    mutating func take(_ message: MQTTMessage) -> WatchedChange? {
        guard let change = change(message) else { return nil }
        let earlier = known.updateValue(message.payload, forKey: message.topic)
        // Nothing is retained where the value is unreadable or empty.
        if message.payload == earlier ?? [] { return nil }
        // That the bridge is not there is worth a word at the beginning too.
        return earlier == nil && message.isRetained && change != .bridge(isOnline: false) ? nil : change
    }

    /// Whether anything came on the topic.
    func knows(_ topic: String) -> Bool {
        known[topic] != nil
    }

    private func change(_ message: MQTTMessage) -> WatchedChange? {
        let isOnline = message.payload == Array("online".utf8)
        if message.topic == topics.state { return .bridge(isOnline: isOnline) }
        switch topics.accessoryState(message.topic) {
        case .availability(let accessory)?: return .accessory(accessory, isOnline: isOnline)
        case .settingAvailability(let accessory, let setting)?:
            return .availability(accessory: accessory, setting: setting, isAvailable: isOnline)
        case .value(let accessory, let setting)?:
            let text = message.payload.isEmpty ? nil : String(decoding: message.payload, as: UTF8.self)
            return .value(accessory: accessory, setting: setting, text)
        case nil: return nil
        }
    }
}

extension WatchedChange {
    /// `2026-11-30T06:00:00Z hallway eco ON`. What is no value stands in brackets.
    func line(at time: Date) -> String {
        let words: [String] =
            switch self {
            case .bridge(let isOnline): [isOnline ? "(bridge online)" : "(bridge offline)"]
            case .accessory(let accessory, let isOnline): [accessory, isOnline ? "(online)" : "(offline)"]
            case .availability(let accessory, let setting, let isAvailable):
                [accessory, setting, isAvailable ? "(available)" : "(unavailable)"]
            case .value(let accessory, let setting, let value):
                [accessory, setting, value ?? "(unreadable or empty)"]
            }
        return ([time.formatted(.iso8601)] + words.map(\.onOneLine)).joined(separator: " ")
    }

    /// The same as a JSON object.
    func json(at time: Date) -> String {
        var json = JSONWriter()
        json.object {
            $0.field("time", time.formatted(.iso8601))
            switch self {
            case .bridge(let isOnline): $0.field("bridge", isOnline ? "online" : "offline")
            case .accessory(let accessory, let isOnline):
                $0.field("accessory", accessory)
                $0.field("availability", isOnline ? "online" : "offline")
            case .availability(let accessory, let setting, let isAvailable):
                $0.field("accessory", accessory)
                $0.field("setting", setting)
                $0.field("availability", isAvailable ? "online" : "offline")
            case .value(let accessory, let setting, let value):
                $0.field("accessory", accessory)
                $0.field("setting", setting)
                $0.key("value")
                $0.value(value.map(JSONValue.string) ?? .null)
            }
        }
        return String(decoding: json.bytes, as: UTF8.self).escapedJSON
    }
}
