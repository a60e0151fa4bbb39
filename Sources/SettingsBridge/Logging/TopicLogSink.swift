import Foundation
import MQTT

/// Publishes log lines on `bridge/log`.
struct TopicLogSink: LogSink {
    let topic: String
    let outbox: Outbox

    func write(_ entry: LogEntry) {
        var json = JSONWriter()
        json.object {
            $0.field("time", entry.time.formatted(.iso8601))
            $0.field("level", entry.level.rawValue)
            $0.field("source", entry.source)
            $0.field("message", entry.message)
        }
        outbox.publish([MQTTMessage(topic: topic, payload: json.bytes, qos: .atMostOnce)])
    }
}
