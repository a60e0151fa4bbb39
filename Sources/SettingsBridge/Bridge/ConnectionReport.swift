import MQTT

/// Tells the log how the connection fares: each failure once until there is a connection, then how long there was none.
struct ConnectionReport {
    let log: Log
    /// Whether the connection is a sweep's: then one that succeeds at once is nobody's news.
    let isSweep: Bool
    /// Told in a sentence how the connection fares.
    private let status: @Sendable (String) -> Void
    private var failures: Set<String> = []
    private var lostAt: ContinuousClock.Instant?

    init(log: Log, isSweep: Bool = false, status: @escaping @Sendable (String) -> Void = { _ in }) {
        self.log = log
        self.isSweep = isSweep
        self.status = status
    }

    mutating func note(_ event: MQTTEvent, at now: ContinuousClock.Instant = .now) {
        switch event {
        case .connected(let connection): connected(connection.protocolVersion, at: now)
        case .connectionFailed(let failure, _, _):
            lost(failure, at: now)
            guard failures.insert(failure.description).inserted else {
                return log.debug("mqtt", failure.description)
            }
            log.error("mqtt", "\(failure.description); it is being tried again")
        case .disconnected(let failure, let delay):
            lost(failure, at: now)
            failures.insert(failure.description)
            log.error("mqtt", "\(failure.description); connecting again in \(delay.text)")
        case .message, .roomForPublishes, .publishRefused: break
        }
    }

    private mutating func connected(_ version: MQTTProtocolVersion, at now: ContinuousClock.Instant) {
        let name = "MQTT " + (version == .v5 ? "5" : "3.1.1")
        let away = lostAt.map { "; there was no connection for \($0.duration(to: now).roughText)" }
        (lostAt, failures) = (nil, [])
        if isSweep {
            log.write(away == nil ? .debug : .info, "mqtt") { "the broker speaks \(name)" + (away ?? "") }
        } else {
            log.info("mqtt", "connected with \(name)" + (away ?? ""))
            status("connected with \(name)")
        }
    }

    private mutating func lost(_ failure: MQTTConnectionFailure, at now: ContinuousClock.Instant) {
        lostAt = lostAt ?? now
        status("no connection: \(failure.description)")
    }
}

extension Duration {
    /// `42 s`, `3 min`, `5 h`: how long something took, for people.
    var roughText: String {
        let seconds = Int(inSeconds.rounded())
        return switch seconds {
        case ..<120: "\(seconds) s"
        case ..<7_200: "\(seconds / 60) min"
        default: "\(seconds / 3_600) h"
        }
    }
}
