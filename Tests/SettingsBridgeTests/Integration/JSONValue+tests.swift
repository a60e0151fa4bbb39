@testable public import SettingsBridge

extension JSONValue: ExpressibleByStringLiteral {
    public init(stringLiteral text: String) { self = .string(text) }

    subscript(member: String) -> JSONValue? {
        if case .object(let members) = self { members[member] } else { nil }
    }

    var first: JSONValue? {
        if case .array(let values) = self { values.first } else { nil }
    }
}
