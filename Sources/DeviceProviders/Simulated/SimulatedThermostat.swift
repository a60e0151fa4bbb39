import AccessorySettings

/// The state of a thermostat that exists only in memory.
struct SimulatedThermostat {
    enum FanSpeed: String, HomeAccessoryEnumSettingConstant {
        case low, medium, high, auto

        var value: HomeAccessorySettingLabel {
            switch self {
            case .low: "Low"
            case .medium: "Medium"
            case .high: "High"
            case .auto: "Automatic"
            }
        }
    }

    var isEco = false
    /// In °C.
    var targetTemperature = 20.0
    var fanSpeed = FanSpeed.auto
    var displayName = ""
    /// How long to heat at full power, in minutes.
    var boost = 0
    /// How long the fan runs at high speed, in minutes.
    var fanTimer = 30
    let firmware = "1.4.0"

    /// Relative humidity in percent. The sensor sleeps in eco mode.
    var humidity: Int? { isEco ? nil : 45 }

    mutating func apply(_ changes: [String: Any]) {
        isEco = changes["eco"] as? Bool ?? isEco
        targetTemperature = changes["target_temp"] as? Double ?? targetTemperature
        fanSpeed = (changes["fan_speed"] as? String).flatMap(FanSpeed.init) ?? fanSpeed
        displayName = changes["display_name"] as? String ?? displayName
        boost = changes["boost_minutes"] as? Int ?? boost
        fanTimer = changes["fan_timer"] as? Int ?? fanTimer
        // The device ends a boost by itself when it begins to save.
        if isEco { boost = 0 }
    }
}
