internal import CMosquitto

/// Why something asked of a client was not done.
public enum MQTTError: Error, Equatable, Sendable, CustomStringConvertible {
    /// There is no connection; nothing was sent and nothing is queued.
    case notConnected(doing: String)
    case invalidTopic(String)
    case invalidFilter(String)
    /// Larger than the broker's limit, or than MQTT allows.
    case tooLarge(topic: String, limit: UInt32?)
    case subscriptionRefused(filter: String, reason: MQTTReasonCode)
    /// The broker did not answer in time.
    case noAnswer(doing: String, limit: Duration)
    /// The configuration cannot work; the sentence says which part and why.
    case configuration(String)
    /// Anything else the library reports.
    case failed(doing: String, reason: String)

    public var description: String {
        switch self {
        case .notConnected(let action): "\(action): not connected to the broker"
        case .invalidTopic(let topic):
            "'\(topic)' is no topic to publish on: it must not be empty, contain + or # or a NUL, or exceed 65,535 bytes"
        case .invalidFilter(let filter):
            "'\(filter)' is no topic filter: + and # stand alone in their level, # comes last, and it is not empty"
        case .tooLarge(let topic, let limit):
            "the message for '\(topic)' is too large"
                + (limit.map { ": the broker takes packets up to \($0) bytes" } ?? "")
        case .subscriptionRefused(let filter, let reason):
            "the broker refused the subscription to '\(filter)': \(reason)"
        case .noAnswer(let action, let limit): "\(action): the broker did not answer within \(limit.words)"
        case .configuration(let sentence): sentence
        case .failed(let action, let reason): "\(action) failed: \(reason)"
        }
    }

    /// The error for a result code of the library other than success.
    init(result: CInt, doing action: @autoclosure () -> String) {
        switch result {
        case MOSQ_ERR_NO_CONN.rawValue, MOSQ_ERR_CONN_LOST.rawValue, MOSQ_ERR_ERRNO.rawValue:
            self = .notConnected(doing: action())
        default:
            self = .failed(doing: action(), reason: "\(String(cString: mosquitto_strerror(result))) (\(result))")
        }
    }
}
