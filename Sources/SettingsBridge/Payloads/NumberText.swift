import Foundation

/// Numbers as they stand on topics and in JSON: the shortest decimal that reads back to the same value, with a point,
/// never with an exponent.
package enum NumberText {
    package static func text(_ value: Double) -> String {
        if let integer = Int64(exactly: value) { return String(integer) }  // -0 becomes 0
        let shortest = value.description
        guard shortest.utf8.contains(UInt8(ascii: "e")) else { return shortest }
        // Decimal has no exponent in its description, but only 38 digits and exponents to ±127.
        guard abs(value) >= 1e-100, abs(value) < 1e38, let decimal = Decimal(string: shortest) else {
            return String(format: "%.0f", value)
        }
        return decimal.description
    }

    /// Reads a decimal number: sign, digits, a point, an exponent (`+22`, `21.50`, `2.15e1`). Whatever else Swift or C
    /// would read as a number (`0x1A`, `inf`, `nan`) is none.
    package static func value(_ text: String) -> Double? {
        guard !text.isEmpty, text.utf8.allSatisfy(isAllowed), let value = Double(text), value.isFinite else {
            return nil
        }
        return value
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"): true
        default: false
        }
    }
}
