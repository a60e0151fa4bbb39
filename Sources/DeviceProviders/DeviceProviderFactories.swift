public import SettingsBridge

/// The providers that a configuration can choose by `"provider": { "type": … }`.
public enum DeviceProviderFactories {
    public static let all: [any ProviderFactory] = [
        SimulatedProviderFactory(), HTTPProviderFactory(), CommandProviderFactory(), ProcessProviderFactory(),
        FileProviderFactory(), MQTTProviderFactory(),
    ]
}
