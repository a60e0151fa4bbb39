/// What happens to a client, in order: `connected`, its messages, `disconnected`, and so on.
public enum MQTTEvent: Sendable, Equatable {
    case connected(MQTTConnection)
    /// An attempt failed; the next one starts after `retryIn`. `attempt` counts from 1 since the last connection.
    case connectionFailed(MQTTConnectionFailure, retryIn: Duration, attempt: Int)
    /// An established connection ended; the next attempt starts after `retryIn`.
    case disconnected(MQTTConnectionFailure, retryIn: Duration)
    case message(MQTTMessage)
    /// The broker did not take a publish (MQTT 5 and QoS 1 or 2 only: 3.1.1 has no way to say so).
    case publishRefused(topic: String, reason: MQTTReasonCode)
    /// After `publish` answered `.full`: half of the places are free again.
    case roomForPublishes
}

/// What was agreed with the broker when it accepted the connection.
public struct MQTTConnection: Sendable, Equatable {
    public var protocolVersion: MQTTProtocolVersion
    /// The broker still had this client's session, with its subscriptions and what was queued for it.
    public var sessionPresent: Bool
    /// Bytes of the largest packet the broker takes; nil: no limit of its own.
    public var maximumPacketSize: UInt32?
    public var maximumQoS: QoS
    /// false: the broker keeps no retained messages.
    public var retainAvailable: Bool
    /// Seconds, as the broker wants it or as configured.
    public var keepAlive: Int

    public init(
        protocolVersion: MQTTProtocolVersion, sessionPresent: Bool = false, maximumPacketSize: UInt32? = nil,
        maximumQoS: QoS = .exactlyOnce, retainAvailable: Bool = true, keepAlive: Int = 60
    ) {
        self.protocolVersion = protocolVersion
        self.sessionPresent = sessionPresent
        self.maximumPacketSize = maximumPacketSize
        self.maximumQoS = maximumQoS
        self.retainAvailable = retainAvailable
        self.keepAlive = keepAlive
    }
}

/// What became of a publish.
public enum PublishResult: Sendable {
    /// Given to the connection. QoS 1 and 2: its acknowledgement is awaited.
    case sent
    /// `MQTTClient.publishLimit` publishes are unacknowledged: this one was not taken, the caller keeps it until
    /// `MQTTEvent.roomForPublishes`.
    case full
}

/// Running numbers of a client, since it was made.
public struct MQTTCounters: Sendable, Equatable {
    public var messagesReceived = 0
    public var messagesPublished = 0
    /// Connections after the first.
    public var reconnects = 0

    package init() {}
}
