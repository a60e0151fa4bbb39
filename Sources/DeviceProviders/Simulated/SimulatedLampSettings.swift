import AccessorySettings

/// The settings of a simulated lamp.
struct SimulatedLampSettings: HomeAccessorySettingsContainer {
    @HomeAccessoryEnumSetting(
        id: "power_on_behavior",
        label: HomeAccessorySettingLabel("After a power cut", detailedLabel: "What the lamp does when power returns"))
    var powerOnBehavior: SimulatedLamp.PowerOnBehavior?

    @HomeAccessoryRangeSetting(
        id: "transition", label: "Transition", range: 0...10, step: 0.1, unit: "s", decimalPrecision: 1)
    var transition: Double?

    @HomeAccessoryRangeSetting(id: "max_brightness", label: "Greatest brightness", range: 1...100, unit: "%")
    var maxBrightness: Int?

    @HomeAccessoryToggleSetting(id: "night_mode", label: "Night mode")
    var nightMode: Bool?

    @HomeAccessoryTextFieldSetting(id: "note", label: "Note", placeholder: "Bought in May")
    var note: String?

    @HomeAccessoryInformationSetting(id: "firmware", label: "Firmware")
    var firmware: String?

    var availableSettings: [any HomeAccessorySetting] {
        [$powerOnBehavior, $transition, $maxBrightness, $nightMode, $note, $firmware]
    }

    init(_ lamp: SimulatedLamp) {
        powerOnBehavior = lamp.powerOnBehavior
        transition = lamp.transition
        maxBrightness = lamp.maxBrightness
        nightMode = lamp.isNightMode
        note = lamp.note
        firmware = lamp.firmware

        // At night the lamp chooses its brightness itself.
        $maxBrightness.isEnabled = !lamp.isNightMode
    }
}
