import MQTT

/// Tells the log how the connection fares: each state once, not each try.
struct ConnectionReport {
    let log: Log
    /// How the log speaks of a connection that succeeds; the sweep's is nobody's news.
    let levelOfSuccess: LogLevel
    private var lastFailure: String?
    private var refusedTopics: Set<String> = []

    init(log: Log, levelOfSuccess: LogLevel = .info) {
        self.log = log
        self.levelOfSuccess = levelOfSuccess
    }

    mutating func note(_ event: MQTTEvent) {
        switch event {
        case .connected(let connection):
            lastFailure = nil
            refusedTopics = []
            log.write(levelOfSuccess, "mqtt") {
                "connected with MQTT \(connection.protocolVersion == .v5 ? "5" : "3.1.1")"
            }
        case .connectionFailed(let failure, _, _):
            guard failure.description != lastFailure else {
                log.debug("mqtt", failure.description)
                return
            }
            lastFailure = failure.description
            log.error("mqtt", "\(failure.description); it is being tried again")
        case .disconnected(let failure, let delay):
            lastFailure = failure.description
            log.error("mqtt", "\(failure.description); connecting again in \(delay.text)")
        case .publishRefused(let topic, let reason):
            guard refusedTopics.insert(topic).inserted else { return }
            log.error("mqtt", "the broker refused what was published on \(topic): \(reason)")
        case .message, .roomForPublishes: break
        }
    }
}
