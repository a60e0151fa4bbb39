import Foundation
import HomeExtensions
import HomeKit

/// A Home extension for the tests with Home Assistant: each accessory is a JSON file that a test may change at any time.
///
/// The files lie in the folder that `TEST_DEVICES` names, as `<UUID of the accessory>.json`. `writes.log` beside them
/// gets a line for each change that a provider was asked to make.
@main struct HomeAssistantExtension: HomeExtension {
    var body: some HomeContent {
        HomeAccessorySettings {
            DeviceFolder(url: URL(filePath: ProcessInfo.processInfo.environment["TEST_DEVICES"] ?? "."))
        } provider: {
            DeviceProvider()
        }
    }
}

struct DeviceFolder: HomeAccessorySettingsContext {
    let url: URL

    func file(of accessory: HMAccessory) -> URL {
        url.appending(path: accessory.uniqueIdentifier.uuidString + ".json")
    }

    func device(of accessory: HMAccessory) throws -> Device {
        try JSONDecoder().decode(Device.self, from: Data(contentsOf: file(of: accessory)))
    }

    func note(_ changes: [String: Any], of accessory: HMAccessory) throws {
        let line = ["accessory": accessory.uniqueIdentifier.uuidString, "changes": changes] as [String: Any]
        let log = url.appending(path: "writes.log")
        if !FileManager.default.fileExists(atPath: log.path) { try Data().write(to: log) }
        let handle = try FileHandle(forWritingTo: log)
        defer { try? handle.close() }
        try handle.seekToEnd()
        try handle.write(contentsOf: JSONSerialization.data(withJSONObject: line) + Data("\n".utf8))
    }
}

struct DeviceSettings: HomeAccessorySettingsContainer {
    let availableSettings: [any HomeAccessorySetting]
}

struct DeviceProvider: HomeAccessorySettingsProvider {
    func settings(context: DeviceFolder, for accessory: HMAccessory) async throws -> DeviceSettings {
        let device = try context.device(of: accessory)
        if let failure = device.readFailure { throw DeviceFailure(description: failure) }
        return DeviceSettings(availableSettings: device.settings)
    }

    func settingsDidChange(changes: [String: Any], context: DeviceFolder, for accessory: HMAccessory) async throws {
        var device = try context.device(of: accessory)
        try context.note(changes, of: accessory)
        if let delay = device.writeDelay { try await Task.sleep(for: .seconds(delay)) }
        if let failure = device.writeFailure { throw DeviceFailure(description: failure) }
        guard device.ignoresWrites != true else { return }
        for index in device.settings.indices {
            guard let change = changes[device.settings[index].id] else { continue }
            device.settings[index].value = DeviceValue(change, for: device.settings[index].kind)
        }
        try JSONEncoder().encode(device).write(to: context.file(of: accessory), options: .atomic)
    }
}

struct DeviceFailure: Error, CustomStringConvertible {
    let description: String
}
