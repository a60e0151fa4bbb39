import AccessorySettings
import Foundation
import HomeKit
import Testing

@testable import DeviceProviders
@testable import SettingsBridge

/// A configuration with one accessory whose provider section holds `type`, `url` and the text.
func httpConfiguration(
    _ url: String, _ provider: String, timeout: String = "10s", environment: [String: String] = [:]
) throws(ConfigurationError) -> BridgeConfiguration {
    let text = """
        { "accessories": [{ "id": "lamp", "timeout": "\(timeout)",
          "provider": { "type": "http", "url": "\(url)", \(provider) } }] }
        """
    return try BridgeConfiguration.parse(
        Array(text.utf8), file: "f", environment: environment, factories: DeviceProviderFactories.all,
        accessoriesNeedProvider: true
    ).configuration
}

/// What is wrong with a provider section, `path: message` for each fault.
func httpFaults(_ provider: String, url: String = "http://127.0.0.1") -> [String] {
    do {
        _ = try httpConfiguration(url, provider)
        return []
    } catch {
        return error.faults.map { "\($0.path.replacing("accessories[0].provider.", with: "")): \($0.message)" }
    }
}

/// The accessory of a configuration, as the bridge sees it.
@MainActor struct HTTPAccessory {
    let source: any AccessorySettingsSource
    let accessory = HMAccessory(name: "Lamp", uniqueIdentifier: UUID())

    init(
        _ url: String, _ provider: String, timeout: String = "10s", environment: [String: String] = [:]
    ) throws {
        try self.init(httpConfiguration(url, provider, timeout: timeout, environment: environment).accessories[0])
    }

    init(_ configuration: AccessoryConfiguration) throws {
        let makeSettings = try #require(configuration.makeSettings)
        source = makeSettings().makeSource()
    }

    func read() async throws -> [String: SettingValue] {
        let settings = try await source.settings(for: accessory)
        return Dictionary(settings.compactMap { setting in setting.value.map { (setting.id, $0) } }) { first, _ in first
        }
    }

    /// Writes in the given order.
    func write(_ changes: KeyValuePairs<String, SettingValue>) async throws {
        let settings = try await source.settings(for: accessory)
        try await write(changes, of: settings)
    }

    func write(_ changes: KeyValuePairs<String, SettingValue>, of settings: [Setting]) async throws {
        let changed = try changes.map { id, value in
            Setting(try #require(settings.first { $0.id == id }).descriptor, value: value)
        }
        try await source.settingsDidChange(changed, for: accessory)
    }

    /// The sentence with which reading fails.
    func readFailure() async -> DeviceError? {
        do {
            _ = try await read()
            return nil
        } catch {
            return error as? DeviceError ?? DeviceError("\(error)")
        }
    }

    /// The sentence with which writing fails.
    func writeFailure(_ changes: KeyValuePairs<String, SettingValue>) async -> String? {
        do {
            try await write(changes)
            return nil
        } catch {
            return failureSentence(error)
        }
    }
}
