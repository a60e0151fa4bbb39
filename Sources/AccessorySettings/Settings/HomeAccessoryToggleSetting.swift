/// A setting that is on or off.
@propertyWrapper public final class HomeAccessoryToggleSetting: HomeAccessorySetting {
    public let id: String
    public final var label: HomeAccessorySettingLabel
    /// `false`: shown, but people can't change it.
    public final var isEnabled: Bool
    public final var isHidden = false
    private let defaultValue: Bool?
    private var currentValue: Bool?
    private let onLabel: HomeAccessorySettingLabel?
    private let offLabel: HomeAccessorySettingLabel?

    /// - Parameters:
    ///   - defaultValue: what counts while there is no current value.
    ///   - currentValue: what the accessory says; `nil` when it can't be read.
    ///   - onLabel: what to call the state "on".
    ///   - offLabel: what to call the state "off".
    public init(
        id: String, label: HomeAccessorySettingLabel, isEnabled: Bool = true, defaultValue: Bool? = nil,
        currentValue: Bool? = nil, onLabel: HomeAccessorySettingLabel? = nil,
        offLabel: HomeAccessorySettingLabel? = nil
    ) {
        self.id = id
        self.label = label
        self.isEnabled = isEnabled
        self.defaultValue = defaultValue
        self.currentValue = currentValue
        self.onLabel = onLabel
        self.offLabel = offLabel
    }

    /// The current value, or else the default. Assigning `nil` brings the default back.
    public final var wrappedValue: Bool? {
        get { currentValue ?? defaultValue }
        set { currentValue = newValue }
    }

    public final var projectedValue: HomeAccessoryToggleSetting { self }
}

extension HomeAccessoryToggleSetting {
    public var setting: Setting {
        let kind = SettingKind.toggle(onLabel: onLabel?.label.resolved, offLabel: offLabel?.label.resolved)
        return Setting(
            SettingDescriptor(id: id, label: label, isEnabled: isEnabled, isHidden: isHidden, kind: kind),
            value: wrappedValue.map(SettingValue.toggle))
    }
}
