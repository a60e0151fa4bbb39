import Foundation
import HomeExtensions
import HomeKit

/// A provider that is a class and keeps no context to speak of.
@MainActor final class LampProvider: HomeAccessorySettingsProvider {
    struct Nothing: HomeAccessorySettingsContext {}

    struct Settings: HomeAccessorySettingsContainer {
        static let brightnessID = "brightness"

        @HomeAccessoryRangeSetting(id: brightnessID, label: "Brightness", range: 1...100, unit: "%")
        var brightness: Int?
        @HomeAccessoryToggleSetting(id: "memory", label: "Remember the brightness") var memory: Bool?
        var hasMemory: Bool

        @MainActor var availableSettings: [any HomeAccessorySetting] {
            hasMemory ? [$brightness, $memory] : [$brightness]
        }

        init(brightness: Int?, hasMemory: Bool) {
            self.hasMemory = hasMemory
            self.brightness = brightness
        }
    }

    private var brightness = 80

    func settings(context: Nothing, for accessory: HMAccessory) async throws -> Settings {
        guard accessory.isReachable else { throw CocoaError(.fileReadNoSuchFile) }
        return Settings(brightness: brightness, hasMemory: accessory.model?.hasPrefix("L2") ?? false)
    }

    func settingsDidChange(changes: [String: Any], context: Nothing, for accessory: HMAccessory) async throws {
        if let value = changes[Settings.brightnessID] as? NSNumber {
            brightness = value.intValue
        }
    }
}
