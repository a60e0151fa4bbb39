import AccessorySettings
import Testing

private enum Mode: String, HomeAccessoryEnumSettingConstant {
    case off, cool, heat
    var value: HomeAccessorySettingLabel {
        switch self {
        case .off: ""
        case .cool, .heat: "Air"
        }
    }
}

/// What the wrappers make of their arguments, and how they fall back.
@Suite struct SettingTests {
    @Test("A toggle falls back to its default, and nil brings it back")
    func toggle() {
        let setting = HomeAccessoryToggleSetting(id: "t", label: "T", defaultValue: true)
        #expect(setting.setting.value == .toggle(true))
        setting.wrappedValue = false
        #expect(setting.setting.value == .toggle(false))
        setting.wrappedValue = nil
        #expect(setting.wrappedValue == true)
        #expect(HomeAccessoryToggleSetting(id: "t", label: "T").setting.value == nil)
        #expect(
            HomeAccessoryToggleSetting(id: "t", label: "T", defaultValue: true, currentValue: false).setting.value
                == .toggle(false))
    }

    @Test("A range falls back to its default, and nil brings it back")
    func range() {
        let setting = HomeAccessoryRangeSetting(id: "r", label: "R", range: 0...10, defaultValue: 3, currentValue: 4)
        #expect(setting.setting.value == .number(4))
        setting.wrappedValue = nil
        #expect(setting.setting.value == .number(3))
        #expect(HomeAccessoryRangeSetting(id: "r", label: "R", range: 0...10).setting.value == nil)
    }

    @Test("A value outside the bounds is read as it is")
    func outside() {
        let setting = HomeAccessoryRangeSetting(id: "r", label: "R", range: 5...30, currentValue: 99.5, step: 0.5)
        #expect(setting.setting.value == .number(99.5))
    }

    @Test("A text falls back to its default, and nil brings it back; the empty text is a text")
    func text() {
        let setting = HomeAccessoryTextFieldSetting(id: "x", label: "X", defaultValue: "a", currentValue: "")
        #expect(setting.setting.value == .text(""))
        setting.wrappedValue = nil
        #expect(setting.setting.value == .text("a"))
        #expect(HomeAccessoryTextFieldSetting(id: "x", label: "X").setting.value == nil)
        #expect(setting.setting.descriptor.kind == .text(placeholder: nil))
    }

    @Test("An enumeration falls back to its default option, and nil brings it back")
    func enumeration() {
        let setting = HomeAccessoryEnumSetting<Mode>(id: "m", label: "M", defaultValue: .cool)
        #expect(setting.setting.value == .option("cool"))
        #expect(setting.selectedValues == nil)
        setting.wrappedValue = .heat
        #expect(setting.setting.value == .option("heat"))
        #expect(setting.selectedValues == [.heat])
        setting.selectedValues = [.heat, .off]
        #expect(setting.wrappedValue == .off, "one value: the first of several in the order of the cases")
        setting.selectedValues = []
        #expect(setting.wrappedValue == .cool)
        #expect(HomeAccessoryEnumSetting<Mode>(id: "m", label: "M").setting.value == nil)
    }

    @Test("Options keep labels that are empty or equal")
    func options() {
        #expect(
            HomeAccessoryEnumSetting<Mode>(id: "m", label: "M").setting.descriptor.kind
                == .enumeration([
                    EnumerationOption(rawValue: "off", label: ""), EnumerationOption(rawValue: "cool", label: "Air"),
                    EnumerationOption(rawValue: "heat", label: "Air"),
                ]))
    }

    @Test("An information is enabled, visible and has its value as given")
    func information() {
        let setting = HomeAccessoryInformationSetting(id: "i", label: "I", value: " 1.4 ")
        #expect(
            setting.setting
                == Setting(SettingDescriptor(id: "i", label: "I", kind: .information()), value: .text(" 1.4 ")))
        setting.isHidden = true
        setting.wrappedValue = nil
        #expect(setting.setting.descriptor.isHidden)
        #expect(setting.setting.value == nil)
    }

    @Test("Settings are visible and enabled unless told otherwise")
    func defaults() {
        let settings: [any HomeAccessorySetting] = [
            HomeAccessoryToggleSetting(id: "", label: "T"),
            HomeAccessoryRangeSetting<Double>(id: "panel/a b#+", label: "R"),
            HomeAccessoryEnumSetting<Mode>(id: "ü", label: "M"),
            HomeAccessoryTextFieldSetting(id: "x", label: "X"),
        ]
        #expect(settings.allSatisfy { $0.setting.descriptor.isEnabled && !$0.setting.descriptor.isHidden })
        #expect(settings.map(\.setting.id) == ["", "panel/a b#+", "ü", "x"], "identifiers are kept as they are")
    }

    @Test("Styles and formats are named by their cases")
    func styles() {
        #expect(HomeAccessoryRangeSetting<Double>.SliderStyle.stepped.description == "stepped")
        #expect(HomeAccessoryRangeSetting<Int>.ValueFormat(rawValue: "percentage") == .percentage)
        #expect(HomeAccessoryEnumSetting<Mode>.SelectionStyle.navigation.description == "navigation")
        #expect(HomeAccessoryRangeSetting<Int>.TickLabelStyle.custom(["a", ""]) == .custom(["a", ""]))
    }
}
