/// A type whose cases are the options of an enumeration setting.
public protocol HomeAccessoryEnumSettingConstant: CaseIterable, Hashable, RawRepresentable
where RawValue: LosslessStringConvertible {
    /// The option's label.
    var value: HomeAccessorySettingLabel { get }
    /// All options in neutral terms, as the bridge works with them. Not part of Apple's API.
    static var enumerationOptions: [EnumerationOption] { get }
}

extension HomeAccessoryEnumSettingConstant {
    // Inlinable, so that each type gets code of its own: this runs at every refresh of every accessory.
    @inlinable public static var enumerationOptions: [EnumerationOption] {
        allCases.map { EnumerationOption(rawValue: $0.rawValue.description, label: String(localized: $0.value.label)) }
    }
}

/// A choice of one out of several options: the cases of `Value`, in the order of `allCases`.
@propertyWrapper
public final class HomeAccessoryEnumSetting<Value: HomeAccessoryEnumSettingConstant>:
    HomeAccessorySetting
{
    /// How the Home app draws the options.
    public enum SelectionStyle: String, Sendable, Codable, CustomStringConvertible {
        /// A section of its own with a row for each option.
        case expanded
        /// One row with a pop-up menu.
        case inline
        /// One row that shows the choice and opens a list.
        case navigation

        public var description: String { rawValue }
    }

    public let id: String
    public final var label: HomeAccessorySettingLabel
    /// `false`: shown, but people can't change it.
    public final var isEnabled: Bool
    public final var isHidden = false
    private let defaultValue: Value?
    private var currentValue: Value?

    /// - Parameters:
    ///   - defaultValue: what counts while there is no current value.
    ///   - currentValue: what the accessory says; `nil` when it can't be read.
    ///   - style: how the Home app draws the options; no other place has a use for it.
    public init(
        id: String, label: HomeAccessorySettingLabel, isEnabled: Bool = true, defaultValue: Value? = nil,
        currentValue: Value? = nil, style: SelectionStyle = .inline
    ) {
        self.id = id
        self.label = label
        self.isEnabled = isEnabled
        self.defaultValue = defaultValue
        self.currentValue = currentValue
    }

    /// The current value, or else the default. Assigning `nil` brings the default back.
    public final var wrappedValue: Value? {
        get { currentValue ?? defaultValue }
        set { currentValue = newValue }
    }

    /// The current value as a set. A setting has one value, so of several assigned the first in the order of `allCases`
    /// is kept.
    public final var selectedValues: Set<Value>? {
        get { currentValue.map { [$0] } }
        set { currentValue = newValue.flatMap { selected in Value.allCases.first(where: selected.contains) } }
    }

    public final var projectedValue: HomeAccessoryEnumSetting<Value> { self }
}

extension HomeAccessoryEnumSetting {
    public var setting: Setting {
        Setting(
            SettingDescriptor(
                id: id, label: label, isEnabled: isEnabled, isHidden: isHidden,
                kind: .enumeration(Value.enumerationOptions)),
            value: wrappedValue.map { .option($0.rawValue.description) })
    }
}
