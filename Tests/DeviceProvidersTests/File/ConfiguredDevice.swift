import AccessorySettings
import DeviceProviders
import Foundation
import HomeKit
import SettingsBridge
import Testing

/// A device of the configuration as a session of the bridge sees it: made from the text of a `provider` section.
@MainActor final class ConfiguredDevice {
    private let source: any AccessorySettingsSource
    private let accessory: HMAccessory

    /// - Parameters:
    ///   - provider: the whole section.
    ///   - top: further keys of the configuration, as in `"mqtt": { … },`.
    convenience init(_ provider: String, id: String = "device", top: String = "") throws {
        try self.init(Self.parse(provider, id: id, top: top))
    }

    /// - Parameter example: the name of a file in `config/examples`, in which some texts stand for others.
    convenience init(example: String, replacing replacements: KeyValuePairs<String, String>) throws {
        let file = URL(filePath: #filePath).appending(path: "../../../../config/examples/\(example).json").standardized
        var text = try String(contentsOf: file, encoding: .utf8)
        for (old, new) in replacements {
            #expect(text.contains(old), "\(example) has no \(old)")
            text = text.replacing(old, with: new)
        }
        try self.init(Self.parse(configuration: text))
    }

    private init(_ configuration: BridgeConfiguration) throws {
        let makeSettings = try #require(configuration.accessories[0].makeSettings)
        source = makeSettings().makeSource()
        accessory = HMAccessory(configuration.accessories[0])
    }

    static func parse(_ provider: String, id: String = "device", top: String = "") throws -> BridgeConfiguration {
        try parse(configuration: #"{ \#(top) "accessories": [ { "id": "\#(id)", "provider": \#(provider) } ] }"#)
    }

    static func parse(configuration: String) throws -> BridgeConfiguration {
        try BridgeConfiguration.parse(
            Array(configuration.utf8), file: "test.json", factories: DeviceProviderFactories.all,
            accessoriesNeedProvider: true
        ).configuration
    }

    /// The faults of a section, without what stands before the key.
    static func faults(_ provider: String, top: String = "") -> [String] {
        do {
            _ = try parse(provider, top: top)
            return []
        } catch let error as ConfigurationError {
            return error.faults.map { "\($0.path.replacing("accessories[0].provider", with: "")): \($0.message)" }
        } catch {
            return ["\(error)"]
        }
    }

    func snapshot() async throws -> Snapshot { Snapshot(try await source.settings(for: accessory)) }

    /// The values as people see them; unreadable ones are left out.
    func read() async throws -> [String: SettingValue] {
        let settings = try await source.settings(for: accessory)
        return Dictionary(
            uniqueKeysWithValues: settings.compactMap { setting in setting.value.map { (setting.id, $0) } })
    }

    /// - Parameter descriptors: of a reading; for a device that can't be read, of an earlier one.
    func write(_ values: KeyValuePairs<String, SettingValue>, as descriptors: Snapshot? = nil) async throws {
        let snapshot: Snapshot
        if let descriptors { snapshot = descriptors } else { snapshot = try await self.snapshot() }
        let changes = try values.map { Setting(try #require(snapshot[$0.key]).descriptor, value: $0.value) }
        try await source.settingsDidChange(changes, for: accessory)
    }

    func changes() throws -> AsyncStream<Void> { try #require(source.settingsChanges(for: accessory)) }

    /// What reading or writing says when it fails.
    static func sentence(_ body: () async throws -> Void) async -> String {
        do {
            try await body()
            return "no failure"
        } catch {
            return failureSentence(error)
        }
    }
}

/// A folder that is gone afterwards.
func withFolder(_ body: (_ path: String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "devices-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder.path)
}

func put(_ text: String, _ path: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path))
}

func content(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
}
