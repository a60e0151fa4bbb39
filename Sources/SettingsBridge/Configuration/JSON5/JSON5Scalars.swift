extension JSON5Scanner {
    /// A string in double or single quotes; the opening one comes next.
    mutating func string() throws(SyntaxFault) -> String {
        let start = position
        let quote = advance()
        var text = String.UnicodeScalarView()
        while let scalar = peek {
            switch scalar {
            case quote:
                advance()
                return String(text)
            case "\n", "\r":
                throw SyntaxFault(position: start, message: "the string begun here is not closed on its line")
            case "\\":
                if let escaped = try escape() { text.append(escaped) }
            default:
                text.append(scalar)
                advance()
            }
        }
        throw fault("unexpected end of the file; the string begun at line \(start.line) is not closed")
    }

    /// The character that an escape stands for, `nil` for an escaped line end.
    private mutating func escape() throws(SyntaxFault) -> Unicode.Scalar? {
        let start = position
        advance()
        let simple: [Unicode.Scalar: Unicode.Scalar] = [
            "b": "\u{08}", "f": "\u{0C}", "n": "\n", "r": "\r", "t": "\t", "v": "\u{0B}",
        ]
        switch advance() {
        case nil: throw fault("unexpected end of the file in an escape")
        case "\r":
            _ = skip("\n")
            return nil
        case "\n", "\u{2028}", "\u{2029}": return nil
        case "x": return Unicode.Scalar(UInt8(truncatingIfNeeded: try hexadecimal(2, from: start)))
        case "u": return try unicodeEscape(from: start)
        case "0":
            if let next = peek, ("0"..."9").contains(next) { throw octal(start) }
            return "\0"
        case let scalar?:
            if ("1"..."9").contains(scalar) { throw octal(start) }
            return simple[scalar] ?? scalar
        }
    }

    private func octal(_ position: ConfigurationPosition) -> SyntaxFault {
        SyntaxFault(position: position, message: "an escape of digits; write \\u and four hexadecimal digits instead")
    }

    /// The rest of `\uXXXX`, with the second half of a surrogate pair.
    private mutating func unicodeEscape(from start: ConfigurationPosition) throws(SyntaxFault) -> Unicode.Scalar {
        let unit = try hexadecimal(4, from: start)
        if let scalar = Unicode.Scalar(unit) { return scalar }
        if unit < 0xDC00, skip("\\"), skip("u") {
            let second = try hexadecimal(4, from: start)
            if (0xDC00...0xDFFF).contains(second),
                let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (second - 0xDC00))
            {
                return scalar
            }
        }
        throw SyntaxFault(position: start, message: "half of a surrogate pair; both halves must stand side by side")
    }

    private mutating func hexadecimal(_ count: Int, from start: ConfigurationPosition) throws(SyntaxFault) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<count {
            guard let scalar = peek, let digit = UInt32(String(scalar), radix: 16) else {
                throw SyntaxFault(position: start, message: "this escape needs \(count) hexadecimal digits")
            }
            value = value << 4 | digit
            advance()
        }
        return value
    }

    /// A number: decimal, hexadecimal, `Infinity` or `NaN`, with or without a sign.
    mutating func number() throws(SyntaxFault) -> Double {
        let start = position
        let isNegative = peek == "-"
        if isNegative || peek == "+" { advance() }
        // Everything that can't separate two values belongs to it, so that `1.2.3` is not half understood.
        let text = take { $0.isIdentifierPart || "+-.".unicodeScalars.contains($0) }
        guard let magnitude = Self.magnitude(text) else {
            throw SyntaxFault(position: start, message: "this is not a number; text must stand in quotes: \"…\"")
        }
        return isNegative ? -magnitude : magnitude
    }

    private static func magnitude(_ text: String) -> Double? {
        switch text {
        case "Infinity": return .infinity
        case "NaN": return .nan
        default: break
        }
        if text.hasPrefix("0x") || text.hasPrefix("0X") {
            let digits = text.dropFirst(2).map(\.hexDigitValue)
            guard !digits.isEmpty, !digits.contains(nil) else { return nil }
            return digits.reduce(0) { $0 * 16 + Double($1 ?? 0) }
        }
        return decimal(text)
    }

    /// `12`, `.5`, `5.` or `1.5e-3`; neither `012` nor the other forms that `Double` takes.
    private static func decimal(_ text: String) -> Double? {
        var rest = text.utf8[...]
        func takeDigits() -> Substring.UTF8View {
            let digits = rest.prefix { (0x30...0x39).contains($0) }
            rest = rest[digits.endIndex...]
            return digits
        }
        let whole = takeDigits()
        guard whole.count < 2 || whole.first != UInt8(ascii: "0") else { return nil }
        var fraction = Substring("").utf8
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            fraction = takeDigits()
        }
        guard !whole.isEmpty || !fraction.isEmpty else { return nil }
        var number = "0\(Substring(whole)).\(Substring(fraction))0"
        if let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") {
            rest.removeFirst()
            number += "e"
            if let sign = rest.first, "+-".utf8.contains(sign) {
                rest.removeFirst()
                number += String(Unicode.Scalar(sign))
            }
            let exponent = takeDigits()
            guard !exponent.isEmpty else { return nil }
            number += Substring(exponent)
        }
        return rest.isEmpty ? Double(number) : nil
    }
}
