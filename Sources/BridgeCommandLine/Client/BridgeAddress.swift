import Foundation
import MQTT
import SettingsBridge

/// Where the bridge is: its broker and its base topic.
struct BridgeAddress {
    let connection: MQTTConfiguration
    let server: ServerAddress
    let topics: BridgeTopics

    /// Reads the configuration, or as much of it as is needed.
    ///
    /// - Throws: `UsageError` when nothing says where the broker is, `ConfigurationError` with every fault.
    init(_ options: ClientOptions, for verb: Command.Verb) throws {
        let environment = ProcessInfo.processInfo.environment
        let hasServer =
            options.broker[.server] != nil || environment["SETTINGS2MQTT_MQTT_SERVER"]?.isEmpty == false
        var path = options.configuration
        // With --server alone the file in the standard place plays no part: its password may be another broker's.
        if path == nil, options.broker[.server] == nil { path = ConfigurationFile.standardPath }
        guard path != nil || hasServer else {
            throw UsageError.noConfiguration("name one with -c FILE, or the broker with --server", for: verb)
        }
        try self.init(
            MQTTSettings.load(path: path, environment: environment, options: options.configurationOptions),
            file: path ?? "--server")
    }

    private init(_ settings: MQTTSettings, file: String) throws(ConfigurationError) {
        var connection = settings.clientConfiguration
        connection.clientID = Self.randomClientID()
        connection.sessionExpiryInterval = 0
        do throws(MQTTError) {
            try connection.validate()
        } catch {
            throw ConfigurationError([ConfigurationFault(file: file, path: "mqtt", message: error.description)])
        }
        self.connection = connection
        server = settings.server
        topics = BridgeTopics(base: settings.baseTopic)
    }

    /// What there is to say when nothing is retained on the topic of the bridge's state.
    var noBridge: String { "no bridge has said on \(topics.state) at \(server) that it is there" }

    /// Never the bridge's own. Every MQTT 3.1.1 broker takes 23 characters.
    private static func randomClientID() -> String {
        "settings2mqtt-cli-"
            + String((0..<5).compactMap { _ in "abcdefghijklmnopqrstuvwxyz0123456789".randomElement() })
    }
}

extension ClientOptions {
    fileprivate var configurationOptions: [MQTTOption] {
        broker.compactMap { option, value in
            guard let key = option.key else { return nil }
            // What is typed is seen from the current folder; what stands in the file, from the file's.
            let isPath = option == .passwordFile || option == .authorities
            return MQTTOption(key, isPath ? URL(filePath: value).path : value, name: option.rawValue)
        }
    }
}
