import MQTT
import SettingsBridge

extension MQTTDevicePlan.Setting {
    init?(_ setting: DeclaredSetting, reading section: SectionReader) {
        id = setting.id
        if !setting.isSecret { state = MQTTDevicePlan.State(reading: section.section("state", required: true)) }
        if setting.isSettable { command = MQTTDevicePlan.Command(reading: section.section("command", required: true)) }
    }
}

extension MQTTDevicePlan.State {
    fileprivate init?(reading section: SectionReader) {
        pointer = section.pointer("pointer")
        isPartial = section.boolean("partial") ?? false
        guard let topic = section.deviceTopic("topic", isSubscribed: true) else { return nil }
        self.topic = topic
    }
}

extension MQTTDevicePlan.Command {

    fileprivate init?(reading section: SectionReader) {
        let payload = PayloadTemplate.read(section)
        qos = section.integer("qos", in: 0...2).flatMap { QoS(rawValue: UInt8($0)) } ?? .atLeastOnce
        isRetained = section.boolean("retain") ?? false
        response = section.optionalSection("response").flatMap(MQTTDevicePlan.Response.init(reading:))
        if let payload {
            if response?.transaction != nil, !payload.hasTransaction {
                section.fault(
                    "must hold \"{{transaction}}\", since 'response' tells where it comes back", at: "payload")
            } else if payload.hasTransaction, response?.transaction == nil {
                section.fault("holds \"{{transaction}}\", but no 'response' tells where it comes back", at: "payload")
            }
        }
        guard let topic = section.deviceTopic("topic"), let payload else { return nil }
        self.topic = topic
        self.payload = payload
    }
}

extension MQTTDevicePlan.Response {
    fileprivate init?(reading section: SectionReader) {
        transaction = section.pointer("transaction")
        error = section.pointer("error")
        guard let topic = section.deviceTopic("topic", isSubscribed: true) else { return nil }
        self.topic = topic
    }
}

extension MQTTDevicePlan.Availability {
    init?(reading section: SectionReader) {
        pointer = section.pointer("pointer")
        online = section.string("payload_online") ?? "online"
        offline = section.string("payload_offline") ?? "offline"
        if online == offline { section.fault("must differ from 'payload_online'", at: "payload_offline") }
        guard let topic = section.deviceTopic("topic", isSubscribed: true) else { return nil }
        self.topic = topic
    }
}

extension MQTTDevicePlan.Request {
    init?(reading section: SectionReader) {
        payload = section.json("payload")?.bytes ?? []
        guard let topic = section.deviceTopic("topic") else { return nil }
        self.topic = topic
    }
}

extension SectionReader {
    /// A topic of a device: fixed text. Those of the bridge itself would make it talk to itself without end.
    fileprivate func deviceTopic(_ key: String, isSubscribed: Bool = false) -> String? {
        guard let topic = string(key, required: true) else { return nil }
        let base = bridgeBroker().baseTopic
        if topic.contains("+") || topic.contains("#") {
            fault("must not contain the wildcards + and #", at: key)
        } else if topic.contains("{{") {
            fault("must be fixed text: a value never gets into a topic", at: key)
        } else if topic.hasPrefix("$"), !(isSubscribed && topic.hasPrefix("$SYS/")) {
            fault("must not begin with $, which is for the broker's own topics", at: key)
        } else if topic.utf8.count > 65_535 {
            fault("must not be longer than 65,535 bytes", at: key)
        } else if topic == base || topic.hasPrefix(base + "/") {
            fault("must not lie below mqtt.base_topic (\(base)): the bridge would talk to itself", at: key)
        } else {
            return topic
        }
        return nil
    }
}
