/// Turns identifiers into topic levels and back.
///
/// An identifier may hold any characters; a topic level may not hold `/`, `+`, `#` or characters that MQTT forbids
/// (controls and non-characters), and some levels have a meaning of their own. Those are percent-encoded (UTF-8,
/// uppercase hexadecimal), `%` too, so that the encoding is reversible and two identifiers never share a level.
enum TopicLevel {
    /// Levels below an accessory that are no settings.
    static let reservedForSettings: Set<String> = ["set", "get", "availability", "settings"]
    /// Levels below the base topic that are no accessories.
    static let reservedForAccessories: Set<String> = ["bridge"]

    static func encode(setting identifier: String) -> String {
        encode(identifier, reserved: reservedForSettings)
    }

    static func encode(accessory identifier: String) -> String {
        encode(identifier, reserved: reservedForAccessories)
    }

    private static func encode(_ identifier: String, reserved: Set<String>) -> String {
        let encodesFirst = identifier.utf8.first == UInt8(ascii: "$") || reserved.contains(identifier)
        if !encodesFirst && identifier.utf8.allSatisfy(isPlain) { return identifier }
        var level = ""
        for (position, scalar) in identifier.unicodeScalars.enumerated() {
            if mustBeEncoded(scalar) || (position == 0 && encodesFirst) {
                for byte in String(scalar).utf8 { level += percentEncoded(byte) }
            } else {
                level.unicodeScalars.append(scalar)
            }
        }
        return level
    }

    /// The identifier that a level stands for, or `nil` where the level is no identifier's encoding.
    static func decode(_ level: Substring) -> String? {
        guard level.utf8.contains(UInt8(ascii: "%")) else { return String(level) }
        var bytes: [UInt8] = []
        var rest = level.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// ASCII that is never encoded: the quick way for nearly all identifiers.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "/"), UInt8(ascii: "+"), UInt8(ascii: "#"), UInt8(ascii: "%"): false
        case 0x20...0x7E: true
        default: false
        }
    }

    private static func mustBeEncoded(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "/", "+", "#", "%": true
        default:
            scalar.properties.generalCategory == .control || scalar.properties.isNoncharacterCodePoint
        }
    }

    private static func percentEncoded(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return byte < 16 ? "%0" + digits : "%" + digits
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension String {
    /// Whether both are the same bytes. `==` on strings is true for canonically equivalent texts too (a composed and
    /// a decomposed é), which are different topics.
    func hasSameBytes(as other: String) -> Bool {
        utf8.elementsEqual(other.utf8)
    }
}
