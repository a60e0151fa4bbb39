/// A text that people can read but not change, shown as it is.
@propertyWrapper public final class HomeAccessoryInformationSetting: HomeAccessorySetting {
    public let id: String
    public final var label: HomeAccessorySettingLabel
    public final var isHidden = false
    /// What the accessory says; `nil` when it can't be read.
    public final var wrappedValue: String?

    public init(id: String, label: HomeAccessorySettingLabel, value: String? = nil) {
        self.id = id
        self.label = label
        wrappedValue = value
    }

    public final var projectedValue: HomeAccessoryInformationSetting { self }
}

extension HomeAccessoryInformationSetting {
    public var setting: Setting {
        Setting(
            SettingDescriptor(id: id, label: label, isEnabled: true, isHidden: isHidden, kind: .information()),
            value: wrappedValue.map(SettingValue.text))
    }
}
