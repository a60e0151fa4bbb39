import MQTT

/// Publishes log lines on `bridge/log`.
struct TopicLogSink: LogSink {
    let topic: String
    let outbox: Outbox

    func write(_ entry: LogEntry) {
        outbox.publish([MQTTMessage(topic: topic, payload: entry.json, qos: .atMostOnce)])
    }
}
