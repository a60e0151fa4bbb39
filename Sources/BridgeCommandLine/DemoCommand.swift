import AccessorySettings
import DeviceProviders
import HomeKit
import MQTT
import SettingsBridge

extension CommandLineTool {
    /// Runs a bridge with a broker of its own.
    func demo() async throws -> ExitCode {
        var configuration = try DemoConfiguration.load()
        if !needsProviders { configuration.accessories = try await accessoriesForExtension(configuration) }
        let broker = try await PrivateBroker.start()
        configuration.mqtt.server = ServerAddress(isTLS: false, host: "127.0.0.1", port: broker.port)
        let preview = await TopicPreview(reading: configuration, extensionSettings: extensionSettings)
        let examples = DemoExamples(
            program: CommandLine.arguments.first ?? programName, port: broker.port,
            topics: BridgeTopics(base: configuration.mqtt.baseTopic))
        StandardStream.output.write(examples.text(for: preview.accessories))
        return await runBridge(configuration, from: "built in")
    }

    /// Accessories that the extension's filters accept: those of the demo, or else one of the first category that is
    /// accepted.
    private func accessoriesForExtension(
        _ configuration: BridgeConfiguration
    ) async throws(CommandFailure) -> [AccessoryConfiguration] {
        let known = configuration.accessories.map { accessory in
            var accessory = accessory
            accessory.provider = nil
            accessory.makeSettings = nil
            return accessory
        }
        let others = HMAccessoryCategory.words.map { category in
            var accessory = AccessoryConfiguration(id: category)
            accessory.category = category
            return accessory
        }
        var accepted: [AccessoryConfiguration] = []
        for accessory in known where await isAccepted(accessory) { accepted.append(accessory) }
        guard accepted.isEmpty else { return accepted }
        for accessory in others where await isAccepted(accessory) { return [accessory] }
        throw CommandFailure(
            description: "the filters of this extension accept none of the demo's accessories; "
                + "list yours in a configuration and use '\(programName) run -c FILE'")
    }

    @MainActor private func isAccepted(_ configuration: AccessoryConfiguration) async -> Bool {
        let accessory = HMAccessory(configuration)
        for settings in extensionSettings where await settings.accepts(accessory) { return true }
        return false
    }
}
