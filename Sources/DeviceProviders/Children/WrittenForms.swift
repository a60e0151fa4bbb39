extension Unicode.Scalar {
    /// The ways in which programs write this character of a text, in UTF-8: as it is, and escaped.
    var writtenForms: [[UInt8]] {
        let bytes = Array(String(self).utf8)
        var forms = [bytes]
        for isUppercase in [true, false] {
            // In addresses.
            forms.append(bytes.flatMap { Array("%\($0.hex(uppercase: isUppercase))".utf8) })
            // In JSON, where some write everything beyond ASCII this way.
            forms.append(
                String(self).utf16.flatMap { unit in
                    let high = UInt8(unit >> 8).hex(uppercase: isUppercase)
                    return Array("\\u\(high)\(UInt8(unit & 0xff).hex(uppercase: isUppercase))".utf8)
                })
        }
        // In texts of Python, C and shells.
        forms.append(bytes.flatMap { Array("\\x\($0.hex(uppercase: false))".utf8) })
        forms.append(bytes.flatMap { Array("\\\(String(Int($0) | 0o1000, radix: 8).dropFirst())".utf8) })
        if let letter = Self.letters[self] { forms.append([UInt8(ascii: "\\"), letter]) }
        if bytes.count == 1, !bytes[0].isPartOfWord { forms.append([UInt8(ascii: "\\")] + bytes) }
        // In forms, and at the ends of lines.
        if self == " " { forms.append([UInt8(ascii: "+")]) }
        if self == "\n" { forms.append(Array("\r\n".utf8)) }
        return forms
    }

    private static let letters: [Unicode.Scalar: UInt8] = [
        "\n": UInt8(ascii: "n"), "\r": UInt8(ascii: "r"), "\t": UInt8(ascii: "t"), "\u{8}": UInt8(ascii: "b"),
        "\u{c}": UInt8(ascii: "f"), "\u{1b}": UInt8(ascii: "e"),
    ]
}

extension UInt8 {
    fileprivate func hex(uppercase: Bool) -> String {
        (self < 16 ? "0" : "") + String(self, radix: 16, uppercase: uppercase)
    }

    /// A letter or a digit, or a byte of a character beyond ASCII.
    var isPartOfWord: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), 0x80...:
            true
        default: false
        }
    }
}
