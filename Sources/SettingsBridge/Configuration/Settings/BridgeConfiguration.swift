/// Everything people can configure.
public struct BridgeConfiguration: Sendable, Equatable {
    public var mqtt = MQTTSettings()
    public var homeAssistant = HomeAssistantSettings()
    /// How often accessories are read; zero is never.
    public var refreshInterval = Duration.seconds(60)
    /// How long a call of a provider may take.
    public var timeout = Duration.seconds(10)
    /// How often `bridge/health` is published; zero is never.
    public var healthInterval = Duration.seconds(60)
    /// After how many consecutive failures an accessory is offline.
    public var offlineAfter = 2
    public var log = LogSettings()
    public var accessories: [AccessoryConfiguration] = []
    /// What people should know though nothing is wrong; for the log, one line each.
    public var warnings: [String] = []

    public init() {}
}

/// What is announced to Home Assistant, and where.
public struct HomeAssistantSettings: Sendable, Equatable {
    public var isEnabled = true
    /// The discovery prefix, without a slash at either end.
    public var discoveryTopic = "homeassistant"
    /// Where Home Assistant publishes that it has started.
    public var statusTopic = "homeassistant/status"

    public init() {}
}
