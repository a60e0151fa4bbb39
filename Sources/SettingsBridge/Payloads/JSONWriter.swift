/// Writes JSON with keys in the order in which they are given, which `JSONEncoder` does not keep.
///
/// The accessory JSON lists values in snapshot order, and it is written up to ten times a second and accessory.
package struct JSONWriter {
    package private(set) var bytes: [UInt8] = []
    /// Whether a comma goes before the next element.
    private var needsComma = false

    package init() {}

    package mutating func object(_ body: (inout JSONWriter) -> Void) {
        nest(UInt8(ascii: "{"), UInt8(ascii: "}"), body)
    }

    mutating func array(_ body: (inout JSONWriter) -> Void) {
        nest(UInt8(ascii: "["), UInt8(ascii: "]"), body)
    }

    package mutating func key(_ key: String) {
        separate()
        quote(key)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    mutating func string(_ value: String) {
        separate()
        quote(value)
    }

    mutating func number(_ value: Double) {
        separate()
        bytes.append(contentsOf: NumberText.text(value).utf8)
    }

    mutating func integer(_ value: some BinaryInteger) {
        separate()
        bytes.append(contentsOf: String(value).utf8)
    }

    mutating func bool(_ value: Bool) {
        separate()
        bytes.append(contentsOf: (value ? "true" : "false").utf8)
    }

    mutating func null() {
        separate()
        bytes.append(contentsOf: "null".utf8)
    }

    /// Writes `key` and `value`, or nothing for `nil`.
    package mutating func field(_ key: String, _ value: String?) {
        guard let value else { return }
        self.key(key)
        string(value)
    }

    package mutating func value(_ value: JSONValue) {
        switch value {
        case .null: null()
        case .bool(let bool): self.bool(bool)
        case .integer(let integer): self.integer(integer)
        case .number(let number): self.number(number)
        case .string(let string): self.string(string)
        case .array(let values): array { for value in values { $0.value(value) } }
        case .object(let members):
            object {
                for (key, value) in members.sorted(by: { $0.key < $1.key }) {
                    $0.key(key)
                    $0.value(value)
                }
            }
        }
    }

    private mutating func nest(_ open: UInt8, _ close: UInt8, _ body: (inout JSONWriter) -> Void) {
        separate()
        bytes.append(open)
        needsComma = false
        body(&self)
        bytes.append(close)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    private mutating func quote(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        // How many of the last bytes begin U+2028 or U+2029, E2 80 A8 and A9. Some readers of lines end a line there.
        var separator = 0
        for byte in text.utf8 {
            switch (separator, byte) {
            case (_, 0xe2): separator = 1
            case (1, 0x80): separator = 2
            case (2, 0xa8), (2, 0xa9):
                separator = 0
                bytes.removeLast(2)
                bytes.append(contentsOf: (byte == 0xa8 ? "\\u2028" : "\\u2029").utf8)
                continue
            default: separator = 0
            }
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(contentsOf: [UInt8(ascii: "\\"), byte])
            case UInt8(ascii: "\n"): bytes.append(contentsOf: "\\n".utf8)
            case UInt8(ascii: "\r"): bytes.append(contentsOf: "\\r".utf8)
            case UInt8(ascii: "\t"): bytes.append(contentsOf: "\\t".utf8)
            case 0..<0x20:
                let digits = String(byte, radix: 16)
                bytes.append(contentsOf: (byte < 16 ? "\\u000" : "\\u00").utf8)
                bytes.append(contentsOf: digits.utf8)
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
