import AccessorySettings
import Foundation

@testable import SettingsBridge

/// A provider with a few keys, which makes nothing.
struct SampleProviderFactory: ProviderFactory {
    let type: String

    func makeSettings(
        from section: SectionReader, accessory: AccessoryConfiguration
    ) -> (@MainActor @Sendable () -> HomeAccessorySettings)? {
        _ = section.string("model")
        _ = section.number("offset", in: -1...1)
        _ = section.secret("token")
        _ = section.strings("arguments")
        let headers = section.section("headers", namesAreFree: true)
        for name in headers.presentKeys { _ = headers.secret(name) }
        for setting in section.sections("settings") { _ = setting.string("id", required: true) }
        if section.hasFaults { return nil }
        return { () -> HomeAccessorySettings in preconditionFailure("no test starts an accessory") }
    }
}

enum SampleConfiguration {
    static let factories = [SampleProviderFactory(type: "simulated"), SampleProviderFactory(type: "http")]

    /// The example of the documentation, with every key.
    static let complete = """
        {
          "mqtt": { "server": "mqtt://localhost:1883", "base_topic": "settings2mqtt", "version": "auto",
                    "client_id": "settings2mqtt", "user": "bridge", "password": { "env": "MQTT_PASSWORD" },
                    "ca": null, "cert": null, "key": null, "server_name": null, "reject_unauthorized": true,
                    "keepalive": 60, "session_expiry": "60s" },
          "home_assistant": { "enabled": true, "discovery_topic": "homeassistant", "status_topic": "homeassistant/status" },
          "refresh_interval": "60s", "timeout": "10s", "offline_after": 2, "health_interval": "60s",
          "log": { "level": "info", "format": "text" },
          "accessories": [
            { "id": "hallway", "name": "Hallway thermostat", "room": "Hallway", "manufacturer": "Acme", "model": "T1",
              "firmware": "1.4", "hw_version": null, "serial_number": null, "category": "thermostat", "uuid": null,
              "timeout": "5s", "refresh_interval": "30s", "offline_after": 3,
              "provider": { "type": "simulated", "model": "thermostat" } }
          ]
        }
        """
}

/// The configuration that the text describes.
func parsedConfiguration(
    _ text: String, environment: [String: String] = [:], file: String = "settings2mqtt.json"
) throws -> BridgeConfiguration {
    try BridgeConfiguration.parse(
        Array(text.utf8), file: file, environment: environment, factories: SampleConfiguration.factories
    ).configuration
}

/// The faults of the text, each as people read it.
func configurationFaults(
    _ text: String, environment: [String: String] = [:], file: String = "settings2mqtt.json",
    accessoriesNeedProvider: Bool = false
) -> [String] {
    do throws(ConfigurationError) {
        _ = try BridgeConfiguration.parse(
            Array(text.utf8), file: file, environment: environment, factories: SampleConfiguration.factories,
            accessoriesNeedProvider: accessoriesNeedProvider)
        return []
    } catch {
        return error.faults.map(\.description)
    }
}

/// The faults of a file.
func faultsLoading(_ path: String, environment: [String: String] = [:]) -> [ConfigurationFault] {
    do throws(ConfigurationError) {
        _ = try BridgeConfiguration.load(path: path, environment: environment, factories: SampleConfiguration.factories)
        return []
    } catch {
        return error.faults
    }
}

/// Gives the body a folder that is gone afterwards.
func withTemporaryFolder(_ body: (_ path: String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "settings2mqtt-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.path)
}

func writeFile(_ bytes: some Sequence<UInt8>, to path: String) throws {
    try Data(bytes).write(to: URL(filePath: path))
}

/// The folder of the repository.
let repositoryFolder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

/// A configuration with little more than one key, whose value stands at 2:1.
func configurationText(_ path: String, _ value: String) -> String {
    let name = path.split(separator: ".").last ?? ""
    let entry = "\(name):\n\(value)"
    let type = name == "type" ? "" : "type: 'http', "
    let sections: [(prefix: String, opening: String, closing: String)] = [
        (
            "accessories[].provider.settings[].",
            "{ accessories: [ { id: 'a', provider: { type: 'http', settings: [ { ", " } ] } } ] }"
        ),
        ("accessories[].provider.", "{ accessories: [ { id: 'a', provider: { \(type)", " } } ] }"),
        ("accessories[].id", "{ accessories: [ { ", " } ] }"),
        ("accessories[].", "{ accessories: [ { id: 'a', ", " } ] }"),
        ("mqtt.", "{ mqtt: { ", " } }"),
        ("home_assistant.", "{ home_assistant: { ", " } }"),
        ("log.", "{ log: { ", " } }"),
    ]
    let section = sections.first { path.hasPrefix($0.prefix) }
    return (section?.opening ?? "{ ") + entry + (section?.closing ?? " }")
}
