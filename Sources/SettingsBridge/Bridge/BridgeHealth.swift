import Foundation
import MQTT

/// The payload of `bridge/health`.
struct BridgeHealth {
    var uptime: Duration
    var mqtt: MQTTCounters
    var dropped: Int
    /// What the broker does not allow.
    var problems: [String]
    var accessories: [(id: String, isOnline: Bool, counters: SessionCounters)]

    func json(at now: ContinuousClock.Instant) -> [UInt8] {
        var json = JSONWriter()
        json.object { members(at: now, in: &$0) }
        return json.bytes
    }

    func members(at now: ContinuousClock.Instant, in json: inout JSONWriter) {
        json.key("uptime_seconds")
        json.integer(uptime.components.seconds)
        if let bytes = Self.residentBytes() {
            json.key("memory_bytes")
            json.integer(bytes)
        }
        json.key("mqtt")
        json.object {
            $0.key("received")
            $0.integer(mqtt.messagesReceived)
            $0.key("published")
            $0.integer(mqtt.messagesPublished)
            $0.key("reconnects")
            $0.integer(mqtt.reconnects)
            $0.key("dropped")
            $0.integer(dropped)
        }
        json.key("problems")
        json.array { for problem in problems { $0.string(problem) } }
        json.key("accessories")
        json.object {
            for (id, isOnline, counters) in accessories {
                $0.key(id)
                $0.object { Self.describe(isOnline, counters, now, in: &$0) }
            }
        }
    }

    private static func describe(
        _ isOnline: Bool, _ counters: SessionCounters, _ now: ContinuousClock.Instant, in json: inout JSONWriter
    ) {
        json.key("online")
        json.bool(isOnline)
        for (key, value) in [
            ("reads", counters.reads), ("writes", counters.writes), ("failures", counters.failures),
        ] {
            json.key(key)
            json.integer(value)
        }
        json.key("last_read")
        if let lastRead = counters.lastRead {
            let ago = lastRead.duration(to: now)
            json.string(Date(timeIntervalSinceNow: -ago.inSeconds).formatted(.iso8601))
        } else {
            json.null()
        }
    }

    /// Resident memory of this process, in bytes: the second field of `/proc/self/statm`, in pages.
    private static func residentBytes() -> Int? {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
        let fields = text.split(separator: " ")
        return fields.count > 1 ? Int(fields[1]).map { $0 * sysconf(Int32(_SC_PAGESIZE)) } : nil
    }
}
