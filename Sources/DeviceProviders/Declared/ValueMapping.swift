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
        case .information(unit: .some): number(device).map { .text(rounded($0)) }
        case .information: device.text.map { .text($0) }
        }
    }

    /// What to tell a device.
    func device(_ value: SettingValue, of setting: DeclaredSetting) -> JSONValue {
        switch value {
        case .toggle(let isOn): return isOn ? on ?? .bool(true) : off ?? .bool(false)
        case .number(let number):
            let scaled = (number - offset) / scale
            // The last digits of a division are noise: 21.5 / 0.1 is 215.
            let rounded = (scaled * 1e9).rounded() / 1e9
            return Int64(exactly: rounded).map { .integer($0) } ?? .number(rounded)
        case .option(let raw): return codes[raw] ?? .string(raw)
        case .text(let text): return .string(text)
        }
    }
        // Null and what is no scalar say nothing, also where everything else is the other value.
        guard device.text != nil else { return nil }

    private func toggle(_ device: JSONValue) -> Bool? {
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
        guard let value, value.isFinite else { return nil }
        return value * scale + offset
    }

    private func option(_ device: JSONValue, of options: [EnumerationOption]) -> String? {
        if let code = codes.first(where: { $0.value.isSame(as: device) }) { return code.key }
        guard let text = device.text else { return nil }
        // An undeclared value stays visible as the device says it.
        return options.first { $0.rawValue.lowercased() == text.lowercased() }?.rawValue ?? text
    }

    private func rounded(_ value: Double) -> String {
        NumberText.text((value * 1e9).rounded() / 1e9)
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
