import AccessorySettings
public import MQTT

/// The bridge's own topics: a topic per setting, the accessory JSON, descriptors and availability.
public struct PlainTopics: Convention {
    private let topics: BridgeTopics

    public init(_ topics: BridgeTopics) {
        self.topics = topics
    }

    public func messages(for change: AccessoryChange) -> [MQTTMessage] {
        let topics = topics.accessory(change.accessory.id)
        let parts = change.parts
        var messages: [MQTTMessage] = []
        messages.reserveCapacity(parts.values.count + parts.settingAvailability.count + 3)
        func publish(_ topic: String, _ payload: [UInt8]) {
            messages.append(MQTTMessage(topic: topic, payload: payload, isRetained: true))
        }
        // A later run finds by the descriptors which topics there are: they lose a setting after its topics are cleared,
        // and gain one before it has any.
        for setting in parts.removed {
            publish(topics.availability(of: setting), [])
            publish(topics.value(of: setting), [])
        }
        if parts.descriptors, let snapshot = change.snapshot {
            publish(topics.descriptors, Descriptors.json(change.accessory, snapshot))
        }
        if parts.availability, !change.isOnline { publish(topics.availability, Self.offline) }
        if let settings = change.snapshot?.settings {
            for position in parts.settingAvailability {
                publish(
                    topics.availability(of: settings[position].id),
                    settings[position].descriptor.isAvailable ? Self.online : Self.offline)
            }
            for position in parts.values {
                publish(topics.value(of: settings[position].id), StatePayload.bytes(settings[position].value))
            }
            if parts.document { publish(topics.values, Self.document(settings)) }
        }
        // Online is said last: whoever sees it finds the values of now.
        if parts.availability, change.isOnline { publish(topics.availability, Self.online) }
        return messages
    }

    /// `settings` comes last: a clearing that is interrupted is found and completed by the next sweep.
    public func clearing(_ accessory: String, _ settings: [String]) -> [MQTTMessage] {
        let own = topics.accessory(accessory)
        return
            (settings.flatMap { [own.availability(of: $0), own.value(of: $0)] }
            + [own.values, own.availability, own.descriptors]).map { .clearing($0) }
    }

    public func clearingOfBridge() -> [MQTTMessage] {
        [topics.health, topics.info, topics.state].map { .clearing($0) }
    }

    static let online = Array("online".utf8)
    static let offline = Array("offline".utf8)

    /// The accessory JSON: all values in snapshot order.
    private static func document(_ settings: [Setting]) -> [UInt8] {
        var json = JSONWriter()
        json.object {
            for setting in settings {
                $0.key(setting.id)
                $0.value(setting.value)
            }
        }
        return json.bytes
    }
}
