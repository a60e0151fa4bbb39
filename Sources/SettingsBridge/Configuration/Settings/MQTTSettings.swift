public import MQTT

/// The broker and how to talk to it.
public struct MQTTSettings: Sendable, Equatable {
    public enum Version: String, Sendable, CaseIterable {
        /// MQTT 5, and 3.1.1 where the broker knows no other.
        case automatic = "auto"
        case v5 = "5"
        case v311 = "3.1.1"
    }

    public var server = ServerAddress(isTLS: false, host: "localhost", port: 1883)
    /// The first levels of every topic, without a slash at either end.
    public var baseTopic = "settings2mqtt"
    public var version = Version.automatic
    public var clientID = "settings2mqtt"
    public var user: String?
    public var password: Secret?
    /// The paths of files that could be read when the configuration was.
    public var ca: String?
    public var cert: String?
    public var key: String?
    /// The name that the server's certificate must hold, where it is not the host.
    public var serverName: String?
    /// `false` accepts any certificate.
    public var rejectUnauthorized = true
    /// Seconds: 0 (none) or 5 to 65,535.
    public var keepalive = 60
    /// How long the broker keeps the session of an absent bridge. Whole seconds, up to a week.
    public var sessionExpiry = Duration.seconds(60)

    public init() {}
}

/// Where the broker listens.
public struct ServerAddress: Sendable, Equatable, CustomStringConvertible {
    public var isTLS: Bool
    /// A name or an address; IPv6 without brackets.
    public var host: String
    public var port: Int

    public init(isTLS: Bool, host: String, port: Int) {
        self.isTLS = isTLS
        self.host = host
        self.port = port
    }

    /// `mqtts://broker.example:8883`
    public var description: String {
        "\(isTLS ? "mqtts" : "mqtt")://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }
}
