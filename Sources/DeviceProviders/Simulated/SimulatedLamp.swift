import AccessorySettings

/// The state of a lamp that exists only in memory.
struct SimulatedLamp {
    /// What the lamp does when its mains power returns.
    enum PowerOnBehavior: String, HomeAccessoryEnumSettingConstant {
        case off, on, last

        var value: HomeAccessorySettingLabel {
            switch self {
            case .off: "Stays off"
            case .on: "Goes on"
            case .last: "As before"
            }
        }
    }

    var powerOnBehavior = PowerOnBehavior.last
    /// How long a change of brightness takes, in seconds.
    var transition = 0.5
    /// In percent.
    var maxBrightness = 100
    var isNightMode = false
    var note = ""
    let firmware = "2.1.7"

    mutating func apply(_ changes: [String: Any]) {
        powerOnBehavior =
            (changes["power_on_behavior"] as? String).flatMap(PowerOnBehavior.init) ?? powerOnBehavior
        transition = changes["transition"] as? Double ?? transition
        maxBrightness = changes["max_brightness"] as? Int ?? maxBrightness
        isNightMode = changes["night_mode"] as? Bool ?? isNightMode
        note = changes["note"] as? String ?? note
    }
}
