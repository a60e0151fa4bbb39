/// What `bridge/info` tells of the configuration: no secret, and nothing of the providers' sections.
public struct ConfigurationSummary: Sendable, Equatable, Encodable {
    public struct MQTT: Sendable, Equatable, Encodable {
        public var server: String
        public var baseTopic: String
        public var version: String
        public var clientID: String
        public var hasUser: Bool
        public var keepalive: Int
        public var sessionExpiry: Double

        private enum CodingKeys: String, CodingKey {
            case server, version, keepalive
            case baseTopic = "base_topic"
            case clientID = "client_id"
            case hasUser = "has_user"
            case sessionExpiry = "session_expiry"
        }
    }

    public struct HomeAssistant: Sendable, Equatable, Encodable {
        public var enabled: Bool
        public var discoveryTopic: String
        public var statusTopic: String

        private enum CodingKeys: String, CodingKey {
            case enabled
            case discoveryTopic = "discovery_topic"
            case statusTopic = "status_topic"
        }
    }

    public var mqtt: MQTT
    public var homeAssistant: HomeAssistant
    /// How many accessories there are.
    public var accessories: Int
    /// Seconds, as all durations here.
    public var refreshInterval: Double
    public var timeout: Double
    public var healthInterval: Double
    public var offlineAfter: Int
    public var logLevel: String

    private enum CodingKeys: String, CodingKey {
        case mqtt, accessories, timeout
        case homeAssistant = "home_assistant"
        case refreshInterval = "refresh_interval"
        case healthInterval = "health_interval"
        case offlineAfter = "offline_after"
        case logLevel = "log_level"
    }
}

extension BridgeConfiguration {
    /// The configuration without secrets.
    public func summary() -> ConfigurationSummary {
        ConfigurationSummary(
            mqtt: ConfigurationSummary.MQTT(
                server: mqtt.server.description, baseTopic: mqtt.baseTopic, version: mqtt.version.rawValue,
                clientID: mqtt.clientID, hasUser: mqtt.user != nil, keepalive: mqtt.keepalive,
                sessionExpiry: mqtt.sessionExpiry.inSeconds),
            homeAssistant: ConfigurationSummary.HomeAssistant(
                enabled: homeAssistant.isEnabled, discoveryTopic: homeAssistant.discoveryTopic,
                statusTopic: homeAssistant.statusTopic),
            accessories: accessories.count, refreshInterval: refreshInterval.inSeconds, timeout: timeout.inSeconds,
            healthInterval: healthInterval.inSeconds, offlineAfter: offlineAfter, logLevel: log.level.rawValue)
    }
}
