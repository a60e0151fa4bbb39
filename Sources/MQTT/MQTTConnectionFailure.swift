/// Why there is no connection, in words for the person who must act.
public struct MQTTConnectionFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// What to tell apart by program.
    public enum Kind: Sendable, Equatable {
        /// The configuration itself cannot work (a file that cannot be read, for example).
        case configuration
        case unknownHost
        /// Nobody listens there.
        case nobodyListens
        /// The network gave no way, or no answer, to the host.
        case unreachable
        /// TCP connected, but CONNECT was not answered in time.
        case noAnswer
        case badCredentials
        /// The broker does not speak this version of MQTT.
        case unsupportedVersion
        /// The broker refused the connection for another reason.
        case refused
        /// The broker closed the connection instead of answering CONNECT.
        case closedBeforeAnswer
        case certificateNameMismatch
        case certificateNotTrusted
        case certificateExpired
        /// Another failure of TLS.
        case tls
        /// An established connection was closed by the broker, or broke.
        case connectionLost
        /// An established connection went silent.
        case keepAliveTimeout
        /// Another client connected with the same client id.
        case takenOver
        case serverShuttingDown
        /// One side broke the rules of the protocol.
        case protocolError
        case other
    }

    public let kind: Kind
    /// The reason the broker gave (MQTT 5).
    public let reason: MQTTReasonCode?
    public let description: String

    public init(_ kind: Kind, reason: MQTTReasonCode? = nil, _ description: String) {
        self.kind = kind
        self.reason = reason
        self.description = description
    }
}
