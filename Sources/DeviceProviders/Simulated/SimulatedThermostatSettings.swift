import AccessorySettings

/// The settings of a simulated thermostat: one of each kind, one that can be disabled, one that can be hidden, and one
/// that can be unreadable.
struct SimulatedThermostatSettings: HomeAccessorySettingsContainer {
    @HomeAccessoryToggleSetting(
        id: "eco", label: HomeAccessorySettingLabel("Eco mode", detailedLabel: "Heats less and lets the sensors sleep"))
    var eco: Bool?

    @HomeAccessoryRangeSetting(
        id: "target_temp", label: "Target temperature", range: 5...30, step: 0.5, unit: "°C", valueFormat: .temperature,
        decimalPrecision: 1)
    var targetTemperature: Double?

    @HomeAccessoryEnumSetting(id: "fan_speed", label: "Fan speed", defaultValue: .auto)
    var fanSpeed: SimulatedThermostat.FanSpeed?

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

    init(_ thermostat: SimulatedThermostat) {
        eco = thermostat.isEco
        targetTemperature = thermostat.targetTemperature
        fanSpeed = thermostat.fanSpeed
        displayName = thermostat.displayName
        boost = thermostat.boost
        fanTimer = thermostat.fanTimer
        humidity = thermostat.humidity.map { "\($0) %" }
        firmware = thermostat.firmware

        // Eco mode and boost contradict each other; the timer ends the high speed and means nothing at others.
        $boost.isEnabled = !thermostat.isEco
        $fanTimer.isHidden = thermostat.fanSpeed != .high
    }
}
