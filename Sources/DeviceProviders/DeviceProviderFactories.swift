public import SettingsBridge

/// The providers that a configuration can choose by `"provider": { "type": … }`.
public enum DeviceProviderFactories {
        SimulatedProviderFactory(), HTTPProviderFactory(), CommandProviderFactory(), FileProviderFactory(), MQTTProviderFactory(),
}
