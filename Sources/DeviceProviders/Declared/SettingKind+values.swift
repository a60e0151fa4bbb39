import AccessorySettings
import SettingsBridge

/// Which values a setting can have, for values that stand in the configuration.
extension SettingKind {
    func allows(_ value: SettingValue) -> Bool {
        switch (self, value) {
        case (.toggle, .toggle): true
        case (.range(let range), .number(let number)): range.allows(number)
        case (.enumeration(let options), .option(let raw)): options.contains { $0.rawValue == raw }
        case (.text(_, let limit, _), .text(let text)): text.count <= limit ?? .max
        case (.information, .text): true
        default: false
        }
    }

    /// A value of ours as it stands in the configuration; `nil` for one that the setting can't have.
    func value(_ declared: JSONValue) -> SettingValue? {
        let value: SettingValue? =
            switch (self, declared) {
            case (.toggle, .bool(let flag)): .toggle(flag)
            case (.range, .integer(let integer)): .number(Double(integer))
            case (.range, .number(let number)): .number(number)
            case (.enumeration, .string(let raw)): .option(raw)
            case (.text, .string(let text)), (.information, .string(let text)): .text(text)
            default: nil
            }
        return value.flatMap { allows($0) ? $0 : nil }
    }

    /// Continues "must be ".
    var allowedValues: String {
        switch self {
        case .toggle: "true or false"
        case .range(let range) where range.isInteger && range.step == 1 && range.lowerBound ?? range.upperBound != nil:
            "a whole number, \(range.sentence)"
        case .range(let range): range.sentence
        case .enumeration(let options): "one of the options' values: \(options.map(\.rawValue).joined(separator: ", "))"
        case .text(_, .some(let limit), _): "a text of up to \(limit) characters"
        case .text, .information: "a text in quotes"
        }
    }
}

extension RangeDescriptor {
    fileprivate func allows(_ value: Double) -> Bool {
        var exact = self
        // How many digits are shown says nothing about which values there are.
        exact.decimalPrecision = nil
        return exact.snapped(value).map { abs($0 - value) <= 1e-9 * max(1, abs(value)) } ?? false
    }
}
