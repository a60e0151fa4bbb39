/// What a snapshot says about one setting besides its value: enough to draw a control for it and to check a change.
public struct SettingDescriptor: Sendable, Hashable, Identifiable {
    public var id: String
    public var label: String
    /// The label's second, longer text.
    public var detail: String?
    /// `false`: shown, but people can't change it.
    public var isEnabled: Bool
    public var isHidden: Bool
    public var kind: SettingKind
    /// What the configuration wants Home Assistant to make of it; `nil` leaves all of it to the bridge.
    public var entity: EntityOptions?

    public init(
        id: String, label: String, detail: String? = nil, isEnabled: Bool = true, isHidden: Bool = false,
        kind: SettingKind, entity: EntityOptions? = nil
    ) {
        self.id = id
        self.label = label
        self.detail = detail
        self.isEnabled = isEnabled
        self.isHidden = isHidden
        self.kind = kind
        self.entity = entity
    }
}

/// How Home Assistant shows a setting, where somebody wants it otherwise than the bridge would choose.
public struct EntityOptions: Sendable, Hashable {
    public var name: String?
    /// `mdi:fan`
    public var icon: String?
    public var deviceClass: String?
    public var stateClass: String?
    /// `config` or `diagnostic`.
    public var category: String?
    public var isEnabledByDefault: Bool?

    public init(
        name: String? = nil, icon: String? = nil, deviceClass: String? = nil, stateClass: String? = nil,
        category: String? = nil, isEnabledByDefault: Bool? = nil
    ) {
        self.name = name
        self.icon = icon
        self.deviceClass = deviceClass
        self.stateClass = stateClass
        self.category = category
        self.isEnabledByDefault = isEnabledByDefault
    }
}

/// The five kinds of settings, each with what only it declares.
public enum SettingKind: Sendable, Hashable {
    case toggle(onLabel: String? = nil, offLabel: String? = nil)
    case range(RangeDescriptor)
    /// The options in the order in which they are shown.
    case enumeration([EnumerationOption])
    /// A secret is written, but never read back or published.
    case text(placeholder: String? = nil, maximumLength: Int? = nil, isSecret: Bool = false)
    /// With a unit its value is a number.
    case information(unit: String? = nil)
}

/// One option of an enumeration.
public struct EnumerationOption: Sendable, Hashable {
    /// The text form of the raw value; what a change dictionary carries.
    public var rawValue: String
    public var label: String

    public init(rawValue: String, label: String) {
        self.rawValue = rawValue
        self.label = label
    }
}
