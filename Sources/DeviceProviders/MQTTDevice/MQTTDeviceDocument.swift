import MQTT
import SettingsBridge

/// A payload, taken apart once for all settings that stand in it.
struct MQTTDeviceDocument: Sendable {
    /// The most bytes of a payload that is looked at.
    static let limit = 1_000_000

    let topic: String
    let isRetained: Bool
    let isEmpty: Bool
    let isTooLarge: Bool
    private let text: String?
    /// `nil` where the plan has no pointer into the payload.
    private let json: Result<JSONValue, JSONSyntaxError>?

    init(_ message: MQTTMessage, for plan: MQTTDevicePlan) {
        topic = message.topic
        isRetained = message.isRetained
        isEmpty = message.payload.isEmpty
        isTooLarge = message.payload.count > Self.limit
        guard !isEmpty, !isTooLarge else {
            (text, json) = (nil, nil)
            return
        }
        text = String(validating: message.payload, as: UTF8.self)
        guard plan.hasPointer(into: message.topic) else {
            json = nil
            return
        }
        json = Result { () throws(JSONSyntaxError) in try JSONValue.parse(lenient: message.payload) }
    }

    /// `nil` where there is none.
    func value(at pointer: JSONPointer?) -> JSONValue? {
        guard let pointer else { return text.map { .string($0) } }
        // Nothing is in an empty payload, and its whole is null.
        if isEmpty { return pointer.value(in: .null) }
        return (try? json?.get()).flatMap { pointer.value(in: $0) }
    }

    /// Why it can't be read.
    var fault: String? {
        if isTooLarge { return "the payload on '\(topic)' is larger than 1 MB" }
        guard case .failure(let error)? = json else { return nil }
        return "the payload on '\(topic)' \(error.reason)"
    }
}

extension MQTTDevicePlan {
    /// Whether a payload of the topic is JSON in which something is looked for.
    fileprivate func hasPointer(into topic: String) -> Bool {
        if let availability, availability.topic == topic, availability.pointer != nil { return true }
        return settings.contains { setting in
            if let state = setting.state, state.topic == topic, state.pointer != nil { return true }
            guard let response = setting.command?.response, response.topic == topic else { return false }
            return response.transaction != nil || response.error != nil
        }
    }
}
