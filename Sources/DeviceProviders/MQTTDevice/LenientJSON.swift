import SettingsBridge

extension JSONValue {
    /// Reads a payload as devices write it: one with `nan` or `inf` where a number failed is read with `null` in that
    /// place, so that the other values stay readable.
    static func parse(lenient bytes: [UInt8]) throws(JSONSyntaxError) -> JSONValue {
        do throws(JSONSyntaxError) {
            return try parse(bytes)
        } catch {
            let repaired = withoutNonFiniteNumbers(bytes)
            guard repaired != bytes else { throw error }
            return try parse(repaired)
        }
    }

    private static func withoutNonFiniteNumbers(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var place = 0
        var isInString = false
        while place < bytes.count {
            let byte = bytes[place]
            if isInString, byte == UInt8(ascii: "\\"), place + 1 < bytes.count {
                result += bytes[place...place + 1]
                place += 2
                continue
            }
            if byte == UInt8(ascii: "\"") { isInString.toggle() }
            let word = isInString ? [] : bytes[place...].prefix { isOfWord($0) }
            if word.isEmpty {
                result.append(byte)
                place += 1
            } else {
                let text = String(decoding: word, as: UTF8.self).lowercased()
                let isFinite = !["nan", "inf", "infinity"].contains(text.drop { "+-".contains($0) })
                result += isFinite ? Array(word) : Array("null".utf8)
                place += word.count
            }
        }
        return result
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: false
        }
    }
}
