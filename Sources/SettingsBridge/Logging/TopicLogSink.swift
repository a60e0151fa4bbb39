import MQTT

/// Publishes log lines on `bridge/log`.
struct TopicLogSink: LogSink {
    let link: CurrentLink

    func write(_ entry: LogEntry) {
        guard let link = link.value else { return }
        link.outbox.publish([MQTTMessage(topic: link.topics.log, payload: entry.json, qos: .atMostOnce)])
    }
}
