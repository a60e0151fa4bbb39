/// What is wrong with the syntax of a file. Never more than one character of the file is repeated.
struct SyntaxFault: Error, Equatable {
    var position: ConfigurationPosition
    var message: String
}

/// Walks through the characters of a file and knows line and column of each.
struct JSON5Scanner {
    private let scalars: [Unicode.Scalar]
    private var index = 0
    private(set) var position = ConfigurationPosition(line: 1, column: 1)

    /// Decodes the file, with or without a byte order mark.
    init(_ bytes: [UInt8]) throws(SyntaxFault) {
        var scalars: [Unicode.Scalar] = []
        scalars.reserveCapacity(bytes.count)
        var decoder = UTF8.ForwardParser()
        var iterator = bytes.makeIterator()
        var invalid = false
        decoding: while true {
            switch decoder.parseScalar(from: &iterator) {
            case .valid(let encoded): scalars.append(UTF8.decode(encoded))
            case .error:
                invalid = true
                break decoding
            case .emptyInput: break decoding
            }
        }
        if scalars.first == "\u{FEFF}" { scalars.removeFirst() }
        self.scalars = scalars
        if invalid {
            while peek != nil { advance() }
            throw SyntaxFault(
                position: position,
                message: Self.looksLikeUTF16(bytes)
                    ? "the file is in UTF-16; save it as UTF-8" : "this is not UTF-8; save the file as UTF-8")
        }
    }

    private static func looksLikeUTF16(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
    }

    var peek: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

    var peekSecond: Unicode.Scalar? { index + 1 < scalars.count ? scalars[index + 1] : nil }

    /// Goes past one character. A carriage return with its line feed ends one line.
    @discardableResult
    mutating func advance() -> Unicode.Scalar? {
        guard let scalar = peek else { return nil }
        index += 1
        if scalar == "\n" || (scalar == "\r" && peek != "\n") {
            position = ConfigurationPosition(line: position.line + 1, column: 1)
        } else {
            position.column += 1
        }
        return scalar
    }

    mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
        guard peek == scalar else { return false }
        advance()
        return true
    }

    /// Goes past white space and comments.
    mutating func skipSpace() throws(SyntaxFault) {
        while let scalar = peek {
            if scalar.isJSON5Space {
                advance()
            } else if scalar == "/", peekSecond == "/" {
                while let next = peek, next != "\n", next != "\r" { advance() }
            } else if scalar == "/", peekSecond == "*" {
                try skipBlockComment()
            } else {
                return
            }
        }
    }

    private mutating func skipBlockComment() throws(SyntaxFault) {
        let start = position
        advance()
        advance()
        while let scalar = advance() {
            if scalar == "*", skip("/") { return }
        }
        throw SyntaxFault(
            position: position,
            message: "unexpected end of the file; the comment begun at line \(start.line) is not closed")
    }

    /// The characters up to the first that does not satisfy the condition.
    mutating func take(while condition: (Unicode.Scalar) -> Bool) -> String {
        var text = String.UnicodeScalarView()
        while let scalar = peek, condition(scalar) {
            text.append(scalar)
            advance()
        }
        return String(text)
    }

    /// A fault at the character that comes next.
    func fault(_ message: String) -> SyntaxFault {
        SyntaxFault(position: position, message: message)
    }
}

extension Unicode.Scalar {
    fileprivate var isJSON5Space: Bool {
        switch self {
        case "\t", "\u{0B}", "\u{0C}", "\r", "\n", " ", "\u{A0}", "\u{2028}", "\u{2029}", "\u{FEFF}": true
        default: properties.generalCategory == .spaceSeparator
        }
    }

    /// May stand in a key without quotes.
    var isIdentifierPart: Bool {
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber,
            .nonspacingMark, .spacingMark, .decimalNumber, .connectorPunctuation:
            true
        default: self == "$" || self == "\u{200C}" || self == "\u{200D}"
        }
    }

    /// May begin a key without quotes.
    var isIdentifierStart: Bool {
        isIdentifierPart && !["\u{200C}", "\u{200D}"].contains(self)
            && ![.nonspacingMark, .spacingMark, .decimalNumber].contains(properties.generalCategory)
    }

    /// Quotes that word processors put in the place of `"` and `'`.
    var isTypographicQuote: Bool {
        "“”„‟‘’‚‛«»‹›″′＂＇".unicodeScalars.contains(self)
    }
}
