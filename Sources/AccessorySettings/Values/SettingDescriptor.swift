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

    public init(
        id: String, label: String, detail: String? = nil, isEnabled: Bool = true, isHidden: Bool = false,
        kind: SettingKind
    ) {
        self.id = id
        self.label = label
        self.detail = detail
        self.isEnabled = isEnabled
        self.isHidden = isHidden
        self.kind = kind
    }
}

/// The five kinds of settings, each with what only it declares.
public enum SettingKind: Sendable, Hashable {
    case toggle(onLabel: String? = nil, offLabel: String? = nil)
    case range(RangeDescriptor)
    /// The options in the order in which they are shown.
    case enumeration([EnumerationOption])
    case text(placeholder: String? = nil)
    case information
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
