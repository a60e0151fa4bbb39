import DeviceProviders
import Foundation
import MQTT
import SettingsBridge

/// The configuration file of a command.
struct ConfigurationFile {
    /// Where it is looked for, in this order.
    static let standardPaths = ["settings2mqtt.json", "/etc/settings2mqtt/settings2mqtt.json"]

    let path: String

    /// The file in the first of the standard places that has one.
    static var standardPath: String? { standardPaths.first(where: FileManager.default.fileExists) }

    /// - Parameter path: as given by `-c`.
    /// - Throws: `UsageError` when no file was given and there is none in the usual places.
    init(_ path: String?, for verb: Command.Verb) throws(UsageError) {
        guard let found = path ?? Self.standardPath else { throw .noConfiguration("name one with -c FILE", for: verb) }
        self.path = found
    }

    /// - Throws: every fault at once.
    func load(accessoriesNeedProvider: Bool) throws(ConfigurationError) -> BridgeConfiguration {
        let configuration = try BridgeConfiguration.load(
            path: path, environment: ProcessInfo.processInfo.environment, factories: DeviceProviderFactories.all,
            accessoriesNeedProvider: accessoriesNeedProvider)
        do throws(MQTTError) {
            // Certificates that can be read may still be none, or not fit.
            try configuration.mqtt.clientConfiguration.validate()
        } catch {
            throw ConfigurationError([ConfigurationFault(file: path, path: "mqtt", message: error.description)])
        }
        return configuration
    }
}

extension UsageError {
    /// - Parameter remedy: what to do about it.
    static func noConfiguration(_ remedy: String, for verb: Command.Verb) -> UsageError {
        let places = ConfigurationFile.standardPaths.joined(separator: " nor ")
        return UsageError(message: "there is no configuration: neither \(places) exists; \(remedy)", verb: verb)
    }
}
