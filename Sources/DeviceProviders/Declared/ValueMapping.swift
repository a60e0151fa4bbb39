import AccessorySettings
import Foundation
import SettingsBridge

/// How a device's values and a setting's correspond.
struct ValueMapping: Sendable, Equatable {
    /// What the device calls on and off; `nil` takes what devices usually say.
    var on: JSONValue?
    var off: JSONValue?
    /// What the device calls each option, by raw value.
    var codes: [String: JSONValue] = [:]
    /// A number of ours is the device's, times `scale`, plus `offset`.
    var scale = 1.0
    var offset = 0.0

    /// What a device's value means; `nil` where it means nothing.
    func value(_ device: JSONValue, of setting: DeclaredSetting) -> SettingValue? {
        switch setting.descriptor.kind {
        case .toggle: toggle(device).map { .toggle($0) }
        case .range(let range): number(device).map { .number(range.normalized($0)) }
        case .enumeration(let options): option(device, of: options).map { .option($0) }
        case .text: device.text.map { .text($0) }
        case .information(unit: .some): number(device).map { .text(NumberText.text(withoutNoise($0))) }
        case .information: device.text.map { .text($0) }
        }
    }

    /// What to tell a device.
    func device(_ value: SettingValue, of setting: DeclaredSetting) -> JSONValue {
        switch value {
        case .toggle(let isOn): return isOn ? on ?? .bool(true) : off ?? .bool(false)
        case .number(let number):
            let told = withoutNoise((number - offset) / scale)
            return Int64(exactly: told).map { .integer($0) } ?? .number(told)
        case .option(let raw): return codes[raw] ?? .string(raw)
        case .text(let text): return .string(text)
        }
    }

    private func toggle(_ device: JSONValue) -> Bool? {
        // Null and what is no scalar say nothing, also where everything else is the other value.
        guard device.text != nil else { return nil }
        if on != nil || off != nil {
            if let on, device.isSame(as: on) { return true }
            if let off, device.isSame(as: off) { return false }
            // With one of the two declared everything else is the other.
            return (on == nil) != (off == nil) ? on == nil : nil
        }
        switch device.text?.lowercased() {
        case "true", "on", "1", "yes", "enabled": return true
        case "false", "off", "0", "no", "disabled": return false
        default: return nil
        }
    }

    private func number(_ device: JSONValue) -> Double? {
        let value: Double? =
            switch device {
            case .integer(let integer): Double(integer)
            case .number(let number): number
            case .string(let text): Double(text.trimmingCharacters(in: .whitespacesAndNewlines))
            default: nil
            }
        guard let value else { return nil }
        let ours = value * scale + offset
        return ours.isFinite ? ours : nil
    }

    private func option(_ device: JSONValue, of options: [EnumerationOption]) -> String? {
        if let code = codes.first(where: { $0.value.isSame(as: device) }) { return code.key }
        guard let text = device.text else { return nil }
        // An undeclared value stays visible as the device says it.
        return options.first { $0.rawValue.lowercased() == text.lowercased() }?.rawValue ?? text
    }

    /// A finite number without the digits that calculating made: 21.7 / 0.1 is 217.
    private func withoutNoise(_ value: Double) -> Double {
        guard scale != 1 || offset != 0 else { return value }
        guard value.isFinite else { return value < 0 ? -.greatestFiniteMagnitude : .greatestFiniteMagnitude }
        // A greater number has fewer digits behind the point than are rounded to.
        guard abs(value) >= 1e6 else { return (value * 1e9).rounded() / 1e9 }
        let whole = value.rounded()
        return abs(value - whole) <= 4 * value.ulp ? whole : value
    }
}

extension JSONValue {
    /// A scalar as text; `nil` for `null`, lists and objects.
    var text: String? {
        switch self {
        case .string(let text): text
        case .bool(let flag): flag ? "true" : "false"
        case .integer(let integer): String(integer)
        case .number(let number): NumberText.text(number)
        case .null, .array, .object: nil
        }
    }

    /// Whether both are the same value, be it written as text or not: `1` is `"1"`.
    func isSame(as other: JSONValue) -> Bool {
        self == other || (text != nil && text == other.text)
    }
}
