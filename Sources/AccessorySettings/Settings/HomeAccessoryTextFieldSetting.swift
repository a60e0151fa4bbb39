/// A line of text that people can edit.
@propertyWrapper public final class HomeAccessoryTextFieldSetting: HomeAccessorySetting {
    public let id: String
    public final var label: HomeAccessorySettingLabel
    /// `false`: shown, but people can't change it.
    public final var isEnabled: Bool
    public final var isHidden = false
    private let defaultValue: String?
    private var currentValue: String?
    private let placeholder: LocalizedStringResource?

    /// - Parameters:
    ///   - defaultValue: what counts while there is no current value.
    ///   - currentValue: what the accessory says; `nil` when it can't be read.
    ///   - placeholder: what to show while the text is empty.
    public init(
        id: String, label: HomeAccessorySettingLabel, isEnabled: Bool = true, defaultValue: String? = nil,
        currentValue: String? = nil, placeholder: LocalizedStringResource? = nil
    ) {
        self.id = id
        self.label = label
        self.isEnabled = isEnabled
        self.defaultValue = defaultValue
        self.currentValue = currentValue
        self.placeholder = placeholder
    }

    /// The current value, or else the default. Assigning `nil` brings the default back.
    public final var wrappedValue: String? {
        get { currentValue ?? defaultValue }
        set { currentValue = newValue }
    }

    public final var projectedValue: HomeAccessoryTextFieldSetting { self }
}

extension HomeAccessoryTextFieldSetting {
    public var setting: Setting {
        Setting(
            SettingDescriptor(
                id: id, label: label, isEnabled: isEnabled, isHidden: isHidden,
                kind: .text(placeholder: placeholder?.resolved)),
            value: wrappedValue.map(SettingValue.text))
    }
}
