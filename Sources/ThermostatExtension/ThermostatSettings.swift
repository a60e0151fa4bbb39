import Foundation
import HomeExtensions

/// The settings of one thermostat as it is now.
struct ThermostatSettings: HomeAccessorySettingsContainer {
    @HomeAccessoryToggleSetting(
        id: "eco", label: HomeAccessorySettingLabel("Eco mode", detailedLabel: "Heats less and lets the sensors sleep"))
    var eco: Bool?

    @HomeAccessoryRangeSetting(
        id: "target_temp", label: "Target temperature", range: 5...30, step: 0.5, unit: "°C", valueFormat: .temperature,
        decimalPrecision: 1)
    var targetTemperature: Double?

    @HomeAccessoryEnumSetting(id: "fan_speed", label: "Fan speed", defaultValue: .auto)
    var fanSpeed: FanSpeed?

    @HomeAccessoryTextFieldSetting(id: "display_name", label: "Name on the display", placeholder: "Living room")
    var displayName: String?

    @HomeAccessoryRangeSetting(
        id: "boost_minutes", label: "Boost", range: 0...60, step: 5, unit: "min", sliderStyle: .stepped)
    var boost: Int?

    @HomeAccessoryRangeSetting(id: "fan_timer", label: "Fan timer", range: 10...120, step: 10, unit: "min")
    var fanTimer: Int?

    @HomeAccessoryInformationSetting(id: "humidity", label: "Humidity")
    var humidity: String?

    @HomeAccessoryInformationSetting(id: "firmware", label: "Firmware")
    var firmware: String?

    var availableSettings: [any HomeAccessorySetting] {
        [$eco, $targetTemperature, $fanSpeed, $displayName, $boost, $fanTimer, $humidity, $firmware]
    }

    init(state: Thermostat.State) {
        eco = state.isEco
        targetTemperature = state.targetTemperature
        fanSpeed = state.fanSpeed
        displayName = state.displayName
        boost = state.boost
        fanTimer = state.fanTimer
        humidity = state.humidity.map { "\($0) %" }
        firmware = state.firmware

        // Eco mode and boost contradict each other; the timer ends the high speed and means nothing at others.
        $boost.isEnabled = !state.isEco
        $fanTimer.isHidden = state.fanSpeed != .high
    }
}
