import AccessorySettings
import MQTT
import SettingsBridge

/// Makes devices behind plug-ins: `{ "type": "process", "command": [ "python3", "lamp.py" ] }`.
struct ProcessProviderFactory: ProviderFactory {
    let type = "process"

    func makeSettings(
        from section: SectionReader, accessory: AccessoryConfiguration
    ) -> (@MainActor @Sendable () -> HomeAccessorySettings)? {
        let arguments = section.arguments("command")
        let directory = section.directory("directory")
        let environment = section.environment("environment").mapValues { $0.reveal { $0 } }
        let timeout = section.duration("timeout", in: .milliseconds(10)...Duration.seconds(600))
        let confirmation = Confirmation.read(section)
        let retry = Retry.read(section)
        let settings =
            section.presentKeys.contains("settings") ? readSettings(section) { _, setting in setting } : nil
        guard !section.hasFaults, let arguments else { return nil }
        let launch = Launch(arguments: arguments, environment: environment, directory: directory)
        return {
            let log = Log.ofProviders
            return HomeAccessorySettings(
                context: {
                    PluginDevice(
                        plugin: Plugin(
                            launch, accessory: accessory.id, timeout: timeout,
                            secrets: KnownSecrets(Array(environment.values)), log: log),
                        settings: settings?.map(\.setting), confirmation: confirmation, retry: retry)
                },
                provider: { PluginProvider() })
        }
    }
}
