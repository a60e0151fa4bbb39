import Foundation
import HomeExtensions

/// What the file of an accessory says.
struct Device: Codable {
    var settings: [DeviceSetting]
    /// The error that every read ends with.
    var readFailure: String?
    /// The error that every write ends with.
    var writeFailure: String?
    /// Takes changes without an error, and stays as it is.
    var ignoresWrites: Bool?
    /// How long a write takes, in seconds.
    var writeDelay: Double?
}

/// A setting whose kind, limits and options are known only when it is read.
struct DeviceSetting: Codable, HomeAccessorySetting {
    enum Kind: String, Codable {
        case toggle, range, enumeration, text, information
    }

    struct Option: Codable {
        var value: String
        var label: String
    }

    var id: String
    var kind: Kind
    var label: String
    var value: DeviceValue?
    var enabled: Bool?
    var hidden: Bool?
    var min: Double?
    var max: Double?
    var step: Double?
    var unit: String?
    var integer: Bool?
    var options: [Option]?

    var setting: Setting {
        Setting(
            SettingDescriptor(
                id: id, label: label, isEnabled: enabled ?? true, isHidden: hidden ?? false, kind: settingKind),
            value: settingValue)
    }

    private var settingKind: SettingKind {
        switch kind {
        case .toggle: .toggle()
        case .range:
            .range(
                RangeDescriptor(
                    lowerBound: min, upperBound: max, step: step, isInteger: integer ?? false, unit: unit))
        case .enumeration:
            .enumeration((options ?? []).map { EnumerationOption(rawValue: $0.value, label: $0.label) })
        case .text: .text()
        case .information: .information()
        }
    }

    private var settingValue: SettingValue? {
        switch (kind, value) {
        case (.toggle, .bool(let isOn)): .toggle(isOn)
        case (.range, .number(let number)): .number(number)
        case (.enumeration, .string(let text)): .option(text)
        case (.text, .string(let text)), (.information, .string(let text)): .text(text)
        default: nil
        }
    }
}

enum DeviceValue: Codable {
    case bool(Bool)
    case number(Double)
    case string(String)

    /// A value of a change dictionary.
    init?(_ change: Any, for kind: DeviceSetting.Kind) {
        let value: Self? =
            switch kind {
            case .toggle: (change as? Bool).map(Self.bool)
            case .range: (change as? NSNumber).map { .number($0.doubleValue) }
            case .enumeration, .text: (change as? String).map(Self.string)
            case .information: nil
            }
        guard let value else { return nil }
        self = value
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let isOn = try? container.decode(Bool.self) {
            self = .bool(isOn)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else {
            self = .string(try container.decode(String.self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .bool(let isOn): try container.encode(isOn)
        case .number(let number): try container.encode(number)
        case .string(let text): try container.encode(text)
        }
    }
}
