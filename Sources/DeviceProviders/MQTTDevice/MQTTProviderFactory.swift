import AccessorySettings
import MQTT
import SettingsBridge

/// Makes devices that are on MQTT already: `{ "type": "mqtt", "settings": { … } }`, over the bridge's broker or another.
struct MQTTProviderFactory: ProviderFactory {
    let type = "mqtt"

    func makeSettings(
        from section: SectionReader, accessory: AccessoryConfiguration
    ) -> (@MainActor @Sendable () -> HomeAccessorySettings)? {
        let broker = readBroker(section, accessory: accessory)
        let availability = section.optionalSection("availability").flatMap(MQTTDevicePlan.Availability.init(reading:))
        let request = section.optionalSection("request").flatMap(MQTTDevicePlan.Request.init(reading:))
        let timeout = section.duration("timeout", in: .milliseconds(10)...Duration.seconds(600)) ?? .seconds(5)
        let settings = readSettings(section) { reader, setting in MQTTDevicePlan.Setting(setting, reading: reader) }
        let confirmation = Confirmation.read(section)
        let retry = Retry.read(section)
        guard !section.hasFaults else { return nil }
        let plan = MQTTDevicePlan(
            settings: settings.map(\.own), availability: availability, request: request, timeout: timeout)
        return {
            HomeAccessorySettings(
                context: {
                    DeclaredDevice(
                        settings: settings.map(\.setting),
                        connection: MQTTDeviceConnection(plan, over: broker.clientConfigurationOfDevice()),
                        confirmation: confirmation, retry: retry)
                }, provider: { DeclaredProvider() })
        }
    }

    /// The section's own broker, or the bridge's.
    private func readBroker(_ section: SectionReader, accessory: AccessoryConfiguration) -> MQTTSettings {
        var own = MQTTSettings()
        own.readConnection(section)
        let bridge = section.bridgeBroker()
        var broker = own
        if !section.isPresent("server") {
            for key in [
                "version", "user", "password", "ca", "cert", "key", "server_name", "reject_unauthorized", "keepalive",
            ]
            where section.isPresent(key) {
                section.fault("needs 'server'; without it everything is as in the bridge's own 'mqtt' section", at: key)
            }
            broker = bridge
        }
        broker.clientID = section.isPresent("client_id") ? own.clientID : "\(bridge.clientID)-\(accessory.id)"
        return broker
    }
}

extension MQTTSettings {
    /// A session of its own that begins clean. The end of the client identifier differs each time, so that a reading for
    /// a check does not push the running bridge's client aside.
    fileprivate func clientConfigurationOfDevice() -> MQTTConfiguration {
        var configuration = clientConfiguration
        configuration.clientID = "\(clientID)-\(String(UInt16.random(in: 0x1000...0xFFFF), radix: 16))"
        configuration.sessionExpiryInterval = 0
        return configuration
    }
}
