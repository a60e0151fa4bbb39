/// The value of one setting, free of Apple's classes.
///
/// The case follows the kind of the setting (``SettingKind``): a toggle has `toggle`, a range `number`, an
/// enumeration `option`, a text field or an information setting `text`.
public enum SettingValue: Sendable, Hashable {
    case toggle(Bool)
    /// A finite number. Ranges over integer types hold an integral value.
    case number(Double)
    /// The text form of an enumeration's raw value.
    case option(String)
    case text(String)
}
