import MQTT
import SettingsBridge

/// What fills the places of a request's templates.
struct TemplateValues {
    /// The place for the value of the setting that is written.
    static let valueName = "value"

    /// What the setting is to have; `nil` in a reading.
    var value: JSONValue?
    /// By the names that the configuration gives them.
    var secrets: [String: Secret]

    func text(_ name: String) -> String {
        if name == Self.valueName { return value?.text ?? "" }
        return secrets[name]?.reveal { $0 } ?? ""
    }

    /// The JSON value with its places filled: a string that is one place alone becomes the value, with its type.
    func filling(_ template: JSONValue) -> JSONValue {
        switch template {
        case .string(let text):
            guard let template = TextTemplate(text), !template.names.isEmpty else { return template }
            if template.onlyPlace == Self.valueName, let value { return value }
            return .string(template.filled(self))
        case .array(let elements): return .array(elements.map(filling))
        case .object(let members): return .object(members.mapValues(filling))
        case .null, .bool, .integer, .number: return template
        }
    }
}

extension JSONValue {
    /// As text.
    var jsonBytes: [UInt8] {
        var writer = JSONWriter()
        writer.value(self)
        return writer.bytes
    }

    /// Both in one, where they don't contradict each other: objects are joined, anything else must be equal.
    func joined(with other: JSONValue) -> JSONValue? {
        guard case .object(var members) = self, case .object(let others) = other else {
            return self == other ? self : nil
        }
        for (key, value) in others {
            guard let present = members[key] else {
                members[key] = value
                continue
            }
            guard let both = present.joined(with: value) else { return nil }
            members[key] = both
        }
        return .object(members)
    }
}
