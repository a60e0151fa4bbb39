/// An exact parser for JSON5 (https://spec.json5.org) that keeps the place of every key and value.
///
/// Foundation reads JSON5 too, but its values have lost their place in the file. Not supported are escapes in keys
/// without quotes.
struct JSON5Parser {
    /// Deeper files are refused, so that none can exhaust the stack.
    static let depthLimit = 64

    private var scanner: JSON5Scanner
    /// Keys that stand twice in their object; they don't stop the parser.
    private(set) var duplicateKeys: [SyntaxFault] = []

    /// - Returns: the value of the file, and a fault for each key that stands twice in an object.
    static func parse(
        _ bytes: [UInt8]
    ) throws(SyntaxFault) -> (value: ConfigurationValue, duplicateKeys: [SyntaxFault]) {
        var parser = JSON5Parser(scanner: try JSON5Scanner(bytes))
        try parser.scanner.skipSpace()
        guard parser.scanner.peek != nil else {
            throw SyntaxFault(position: ConfigurationPosition(line: 1, column: 1), message: "the file is empty")
        }
        let value = try parser.value(depth: 0)
        try parser.scanner.skipSpace()
        if let scalar = parser.scanner.peek {
            throw parser.scanner.fault(
                "unexpected \(scalar.quoted) after the end of the configuration; only comments may follow")
        }
        return (value, parser.duplicateKeys)
    }

    private init(scanner: JSON5Scanner) {
        self.scanner = scanner
    }

    // MARK: Values

    private mutating func value(depth: Int) throws(SyntaxFault) -> ConfigurationValue {
        let origin = ConfigurationValue.Origin.file(scanner.position)
        let content: ConfigurationValue.Content
        switch scanner.peek {
        case "{": content = .object(try object(depth: depth + 1))
        case "[": content = .array(try array(depth: depth + 1))
        case "\"", "'": content = .string(try scanner.string())
        case let scalar? where "+-.0123456789".unicodeScalars.contains(scalar): content = .number(try scanner.number())
        case let scalar? where scalar.isIdentifierStart: content = try word()
        default: throw unexpected(expected: "a value")
        }
        return ConfigurationValue(content, origin: origin)
    }

    private mutating func word() throws(SyntaxFault) -> ConfigurationValue.Content {
        let start = scanner.position
        let word = scanner.take(while: \.isIdentifierPart)
        switch word {
        case "true": return .boolean(true)
        case "false": return .boolean(false)
        case "null": return .null
        case "Infinity": return .number(.infinity)
        case "NaN": return .number(.nan)
        default:
            let lowercase = word.lowercased()
            let isSpelledAlike = ["true", "false", "null"].contains(lowercase)
            throw SyntaxFault(
                position: start,
                message: isSpelledAlike ? "write \(lowercase) in lower case" : "text must stand in quotes: \"…\"")
        }
    }

    private mutating func array(depth: Int) throws(SyntaxFault) -> [ConfigurationValue] {
        let opening = try open(depth: depth)
        var elements: [ConfigurationValue] = []
        while true {
            try skipSpace(within: "list", begunAt: opening)
            if scanner.skip("]") { return elements }
            elements.append(try value(depth: depth))
            try separator(before: "]", within: "list", begunAt: opening)
        }
    }

    private mutating func object(depth: Int) throws(SyntaxFault) -> [ConfigurationValue.Member] {
        let opening = try open(depth: depth)
        var members: [ConfigurationValue.Member] = []
        var lines: [String: Int] = [:]
        while true {
            try skipSpace(within: "object", begunAt: opening)
            if scanner.skip("}") { return members }
            let position = scanner.position
            let key = try key()
            try skipSpace(within: "object", begunAt: opening)
            guard scanner.skip(":") else { throw unexpected(expected: "':' after the key") }
            try skipSpace(within: "object", begunAt: opening)
            let value = try value(depth: depth)
            if let line = lines[key] {
                duplicateKeys.append(
                    SyntaxFault(
                        position: position,
                        message: "duplicate key '\(key.excerpt)'; it stands at line \(line) already"))
            } else {
                lines[key] = position.line
                members.append(ConfigurationValue.Member(key: key, keyPosition: position, value: value))
            }
            try separator(before: "}", within: "object", begunAt: opening)
        }
    }

    private mutating func key() throws(SyntaxFault) -> String {
        switch scanner.peek {
        case "\"", "'": return try scanner.string()
        case let scalar? where scalar.isIdentifierStart: return scanner.take(while: \.isIdentifierPart)
        default: throw unexpected(expected: "a key or '}'")
        }
    }

    // MARK: Between values

    private mutating func open(depth: Int) throws(SyntaxFault) -> ConfigurationPosition {
        guard depth <= Self.depthLimit else {
            throw scanner.fault("objects and lists are nested more than \(Self.depthLimit) deep")
        }
        let position = scanner.position
        scanner.advance()
        return position
    }

    private mutating func skipSpace(
        within kind: String, begunAt opening: ConfigurationPosition
    ) throws(SyntaxFault) {
        try scanner.skipSpace()
        guard scanner.peek != nil else {
            throw scanner.fault("unexpected end of the file; the \(kind) begun at line \(opening.line) is not closed")
        }
    }

    /// Goes past a comma; without one the closing bracket must follow.
    private mutating func separator(
        before closing: Unicode.Scalar, within kind: String, begunAt opening: ConfigurationPosition
    ) throws(SyntaxFault) {
        try skipSpace(within: kind, begunAt: opening)
        if scanner.skip(",") || scanner.peek == closing { return }
        guard let scalar = scanner.peek, scalar.isIdentifierPart || "\"'{[+-.".unicodeScalars.contains(scalar) else {
            throw unexpected(expected: "',' or '\(closing)'")
        }
        throw scanner.fault("a comma is missing before this")
    }

    private func unexpected(expected: String) -> SyntaxFault {
        switch scanner.peek {
        case nil: scanner.fault("unexpected end of the file; expected \(expected)")
        case let scalar? where scalar.isTypographicQuote:
            scanner.fault("a typographic quote \(scalar); use \" instead")
        case "#": scanner.fault("unexpected '#'; a comment begins with //")
        case let scalar?: scanner.fault("unexpected \(scalar.quoted); expected \(expected)")
        }
    }
}

extension Unicode.Scalar {
    /// The character between single quotes, or its number when it can't be seen.
    var quoted: String {
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator,
            .spaceSeparator:
            "the character \(codePointName)"
        default: "'\(self)'"
        }
    }
}
