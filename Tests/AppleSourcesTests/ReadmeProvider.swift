import Foundation
import HomeExtensions
import HomeKit

struct ScreenSettings: HomeAccessorySettingsContainer {
    @HomeAccessoryRangeSetting(id: "brightness", label: "Brightness", range: 0...255) var brightness: Int?
    var availableSettings: [any HomeAccessorySetting] { [$brightness] }
}

struct Screens: HomeAccessorySettingsContext {
    var folder = URL(filePath: "/sys/class/backlight")
    func file(of accessory: HMAccessory) -> URL { folder.appending(path: accessory.name + "/brightness") }
}

struct ScreenProvider: HomeAccessorySettingsProvider {
    func settings(context: Screens, for accessory: HMAccessory) async throws -> ScreenSettings {
        let text = try String(contentsOf: context.file(of: accessory), encoding: .utf8)
        let settings = ScreenSettings()
        settings.brightness = Int(text.trimmingCharacters(in: .whitespacesAndNewlines))
        return settings
    }

    func settingsDidChange(changes: [String: Any], context: Screens, for accessory: HMAccessory) async throws {
        guard let brightness = changes["brightness"] as? Int else { return }
        try Data("\(brightness)".utf8).write(to: context.file(of: accessory))
    }
}

struct ScreenExtension: HomeExtension {
    var body: some HomeContent {
        HomeAccessorySettings(context: { Screens() }, provider: { ScreenProvider() })
    }
}
