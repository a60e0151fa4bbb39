import AccessorySettings
import DeviceProviders
import Foundation
import HomeKit
import SettingsBridge

/// A simulated device as a session of the bridge sees it: made from the text of a `provider` section.
@MainActor struct SimulatedDevice {
    private let source: any AccessorySettingsSource
    private let accessory: HMAccessory

    /// - Parameter provider: what follows `"type": "simulated",`.
    init(_ provider: String, id: String = UUID().uuidString) throws {
        let configuration = try parse(provider, id: id)
        let accessory = configuration.accessories[0]
        source = accessory.makeSettings!().makeSource()
        self.accessory = HMAccessory(accessory)
    }

    var name: String { source.name }

    func read() async throws -> Snapshot {
        Snapshot(try await source.settings(for: accessory))
    }

    /// Changes settings and reads what the device then says.
    @discardableResult
    func write(_ values: [String: SettingValue]) async throws -> Snapshot {
        try await change(values, of: read())
        return try await read()
    }

    func change(_ values: [String: SettingValue], of snapshot: Snapshot) async throws {
        try await source.settingsDidChange(
            values.map { Setting(snapshot[$0.key]!.descriptor, value: $0.value) }, for: accessory)
    }
}

/// Reads a configuration with one accessory, whose provider is simulated.
func parse(_ provider: String, id: String = "a") throws -> BridgeConfiguration {
    let text = #"{ "accessories": [ { "id": "\#(id)", "provider": { "type": "simulated", \#(provider) } } ] }"#
    return try BridgeConfiguration.parse(
        Array(text.utf8), file: "test.json", factories: DeviceProviderFactories.all, accessoriesNeedProvider: true
    ).configuration
}
