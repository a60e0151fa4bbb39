import HomeExtensions
import HomeKit

struct DeviceSettings: HomeAccessorySettingsContainer {
    let availableSettings: [any HomeAccessorySetting]

    init(values: [Int]) {
        availableSettings = values.enumerated().map { index, value in
            if index.isMultiple(of: 2) {
                HomeAccessoryToggleSetting(id: "s\(index)", label: "Toggle", currentValue: value == 1)
            } else {
                HomeAccessoryRangeSetting(id: "s\(index)", label: "Range", range: 0...100, currentValue: value, step: 1)
            }
        }
    }
}

struct DeviceSettingsProvider: HomeAccessorySettingsProvider {
    func settings(context: Device, for accessory: HMAccessory) async throws -> DeviceSettings {
        if accessory.name == "Hanging" { await context.hang() }
        try await context.answerTime()
        return DeviceSettings(values: context.values)
    }

    func settingsDidChange(changes: [String: Any], context: Device, for accessory: HMAccessory) async throws {
        try await context.answerTime()
        try context.apply(changes)
    }
}
