import SettingsBridge

/// One argument, or one variable of the environment, with places for a setting's value and identifier.
///
/// It is taken apart once, when the configuration is read. What is put in later is never looked at again, so that no value
/// can become anything else than the part of one argument.
struct ArgumentTemplate: Sendable, Equatable {
    enum Part: Sendable, Equatable {
        case literal(String)
        case value
        case setting
    }

    let parts: [Part]

    /// - Throws: a sentence about what is wrong.
    init(_ text: String) throws(TemplateFault) {
        var parts: [Part] = []
        var rest = text[...]
        while let opening = rest.firstRange(of: "{{") {
            guard let closing = rest[opening.upperBound...].firstRange(of: "}}") else {
                throw TemplateFault(message: "has a '{{' without '}}'")
            }
            if opening.lowerBound > rest.startIndex { parts.append(.literal(String(rest[..<opening.lowerBound]))) }
            switch rest[opening.upperBound..<closing.lowerBound] {
            case "value": parts.append(.value)
            case "setting": parts.append(.setting)
            default: throw TemplateFault(message: "may hold {{value}} and {{setting}}, but no other {{…}}")
            }
            rest = rest[closing.upperBound...]
        }
        if !rest.isEmpty || parts.isEmpty { parts.append(.literal(String(rest))) }
        self.parts = parts
    }

    var isLiteral: Bool { parts.allSatisfy { if case .literal = $0 { true } else { false } } }

    var usesValue: Bool { parts.contains(.value) }

    /// Whether it is the value that it begins with.
    var beginsWithValue: Bool { parts.first == .value }

    func text(value: String, setting: String) -> String {
        parts.reduce(into: "") { text, part in
            switch part {
            case .literal(let literal): text += literal
            case .value: text += value
            case .setting: text += setting
            }
        }
    }
}

/// Why a text is no template.
struct TemplateFault: Error {
    /// Continues "the text …".
    var message: String
}
