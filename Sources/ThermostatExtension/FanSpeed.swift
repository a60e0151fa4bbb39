import HomeExtensions

/// How fast the thermostat's fan turns.
enum FanSpeed: String, HomeAccessoryEnumSettingConstant {
    case low
    case medium
    case high
    case auto

    var value: HomeAccessorySettingLabel {
        switch self {
        case .low: HomeAccessorySettingLabel("Low", systemImage: "fan")
        case .medium: HomeAccessorySettingLabel("Medium", systemImage: "fan")
        case .high: HomeAccessorySettingLabel("High", systemImage: "fan.fill")
        case .auto: HomeAccessorySettingLabel("Automatic", systemImage: "fan.badge.automatic")
        }
    }
}
