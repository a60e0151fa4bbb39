/// A version of the protocol.
public enum MQTTProtocolVersion: Sendable {
    case v311
    case v5
}

/// What a client needs to know to connect.
public struct MQTTConfiguration: Sendable, Equatable {
    /// Which protocol to speak.
    public enum ProtocolVersionChoice: Sendable {
        /// MQTT 5, or 3.1.1 with a broker that refuses or does not understand MQTT 5.
        case automatic
        case v5
        case v311
    }

    public var host: String
    /// 1 to 65,535.
    public var port: Int
    /// Empty: the broker chooses one, and there is no session to come back to.
    public var clientID: String
    public var user: String?
    public var password: Secret?
    /// nil: plain TCP.
    public var tls: TLSConfiguration?
    public var version: ProtocolVersionChoice
    /// Seconds of silence after which the connection is probed: 5 to 65,535, or 0 for never.
    public var keepAlive: Int
    /// Seconds the broker keeps the session after a connection ends; 0 starts clean every time. MQTT 5 only: with 3.1.1
    /// every session starts clean.
    public var sessionExpiryInterval: UInt32
    /// What the broker publishes if this client goes without a goodbye.
    public var will: MQTTMessage?

    public init(
        host: String, port: Int = 1883, clientID: String, user: String? = nil, password: Secret? = nil,
        tls: TLSConfiguration? = nil, version: ProtocolVersionChoice = .automatic, keepAlive: Int = 60,
        sessionExpiryInterval: UInt32 = 0, will: MQTTMessage? = nil
    ) {
        self.host = host
        self.port = port
        self.clientID = clientID
        self.user = user
        self.password = password
        self.tls = tls
        self.version = version
        self.keepAlive = keepAlive
        self.sessionExpiryInterval = sessionExpiryInterval
        self.will = will
    }

    /// `host:port`, with brackets around an IPv6 address.
    public var endpoint: String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}

/// How the connection is protected.
public struct TLSConfiguration: Sendable, Equatable {
    /// Path of a PEM file with the certificates to trust; nil trusts those of the system.
    public var ca: String?
    /// Path of a PEM file with this client's certificate.
    public var certificate: String?
    /// Path of a PEM file with the certificate's private key, without a pass phrase.
    public var key: String?
    /// The name the broker's certificate must be valid for, where that is not `host`.
    public var serverName: String?
    /// false accepts any certificate: encrypted, but nobody knows with whom.
    public var rejectUnauthorized: Bool

    public init(
        ca: String? = nil, certificate: String? = nil, key: String? = nil, serverName: String? = nil,
        rejectUnauthorized: Bool = true
    ) {
        self.ca = ca
        self.certificate = certificate
        self.key = key
        self.serverName = serverName
        self.rejectUnauthorized = rejectUnauthorized
    }
}
