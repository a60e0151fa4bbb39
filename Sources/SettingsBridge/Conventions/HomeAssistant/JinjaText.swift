/// Texts inside Home Assistant's templates.
enum JinjaText {
    /// A string literal. Jinja reads the escapes of Python, of which JSON's are a part.
    static func quoted(_ text: String) -> String {
        var literal = "'"
        for scalar in text.unicodeScalars {
            switch scalar {
            case "'", "\\": literal += "\\\(scalar)"
            // A brace could begin or end a template within the literal.
            case "{", "}", "%", "#": literal += hexadecimal(scalar)
            case _ where scalar.value < 0x20 || scalar.value == 0x7F: literal += hexadecimal(scalar)
            default: literal.unicodeScalars.append(scalar)
            }
        }
        return literal + "'"
    }

    /// A dictionary literal.
    static func dictionary(_ entries: [(key: String, value: String)]) -> String {
        "{" + entries.map { "\(quoted($0.key)): \(quoted($0.value))" }.joined(separator: ", ") + "}"
    }

    private static func hexadecimal(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16)
        return "\\x" + (digits.count < 2 ? "0" : "") + digits
    }
}
