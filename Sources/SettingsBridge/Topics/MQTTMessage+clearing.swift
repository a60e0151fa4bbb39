import MQTT

extension MQTTMessage {
    /// The message that makes the broker forget what is retained on a topic.
    static func clearing(_ topic: String) -> MQTTMessage {
        MQTTMessage(topic: topic, payload: [], isRetained: true)
    }
}
