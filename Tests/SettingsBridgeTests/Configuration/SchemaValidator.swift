@testable import SettingsBridge

/// Checks a value against the part of JSON Schema that the configuration's schema uses.
struct SchemaValidator {
    let root: ConfigurationValue

    /// The names of properties that a schema and those it builds upon know.
    private func names(in schema: ConfigurationValue) -> [String] {
        let name = schema["$ref"]?.text?.replacing("#/$defs/", with: "")
        let target = name.flatMap { root["$defs"]?[$0] }
        return (schema["properties"]?.members.map(\.key) ?? []) + (target.map(names) ?? [])
            + (schema["allOf"]?.elements ?? []).flatMap(names)
    }

    /// What the value breaks, one line each; also keywords that are not known here.
    func violations(_ value: ConfigurationValue, _ schema: ConfigurationValue? = nil, path: String = "$") -> [String] {
        (schema ?? root).members.flatMap { member -> [String] in
            let argument = member.value
            switch member.key {
            case "$schema", "title", "description", "default", "$defs": return []
            case "$ref":
                let name = (argument.text ?? "").replacing("#/$defs/", with: "")
                guard let target = root["$defs"]?[name] else { return ["\(path): no definition '\(name)'"] }
                return violations(value, target, path: path)
            case "type":
                let names = argument.elements?.compactMap(\.text) ?? [argument.text ?? ""]
                return names.contains { value.isOfType($0) } ? [] : ["\(path): must be \(names)"]
            case "enum":
                return argument.elements?.contains(value) == true ? [] : ["\(path): is none of the words"]
            case "const":
                return value == argument ? [] : ["\(path): is not the constant"]
            case "anyOf":
                let matches = argument.elements?.contains { violations(value, $0, path: path).isEmpty } == true
                return matches ? [] : ["\(path): matches none of the alternatives"]
            case "allOf":
                return (argument.elements ?? []).flatMap { violations(value, $0, path: path) }
            case "if":
                let applies = violations(value, argument, path: path).isEmpty
                return applies ? (schema ?? root)["then"].map { violations(value, $0, path: path) } ?? [] : []
            case "then": return []
            case "unevaluatedProperties":
                let known = names(in: schema ?? root)
                return value.members.filter { !known.contains($0.key) }.map { "\(path): \($0.key) is unknown" }
            case "properties":
                return argument.members.flatMap { property in
                    value[property.key].map { violations($0, property.value, path: "\(path).\(property.key)") } ?? []
                }
            case "required":
                return (argument.elements ?? []).compactMap(\.text).filter { value.isObject && value[$0] == nil }
                    .map { "\(path): \($0) is missing" }
            case "additionalProperties":
                let known = schema ?? root
                let others = value.members.filter { known["properties"]?[$0.key] == nil }
                return argument.content == .boolean(false)
                    ? others.map { "\(path): \($0.key) is unknown" }
                    : others.flatMap { violations($0.value, argument, path: "\(path).\($0.key)") }
            case "items":
                return (value.elements ?? []).enumerated().flatMap {
                    violations($0.element, argument, path: "\(path)[\($0.offset)]")
                }
            case "minimum": return (value.number ?? .infinity) >= (argument.number ?? 0) ? [] : ["\(path): too small"]
            case "maximum": return (value.number ?? -.infinity) <= (argument.number ?? 0) ? [] : ["\(path): too large"]
            case "minLength": return value.text?.isEmpty == true ? ["\(path): is empty"] : []
            case "pattern":
                guard let text = value.text else { return [] }
                guard let pattern = argument.text, let regex = try? Regex(pattern) else {
                    return ["\(path): the pattern is no regular expression"]
                }
                return text.contains(regex) ? [] : ["\(path): does not match the pattern"]
            default: return ["\(path): unknown keyword \(member.key)"]
            }
        }
    }
}

extension ConfigurationValue {
    var members: [Member] { if case .object(let members) = content { members } else { [] } }
    var elements: [ConfigurationValue]? { if case .array(let elements) = content { elements } else { nil } }
    var text: String? { if case .string(let text) = content { text } else { nil } }
    var number: Double? { if case .number(let number) = content { number } else { nil } }

    subscript(key: String) -> ConfigurationValue? { members.first { $0.key == key }?.value }

    fileprivate func isOfType(_ name: String) -> Bool {
        switch content {
        case .null: name == "null"
        case .boolean: name == "boolean"
        case .number(let number): name == "number" || (name == "integer" && number == number.rounded())
        case .string: name == "string"
        case .array: name == "array"
        case .object: name == "object"
        }
    }
}
