import SettingsBridge

/// A JSON document as text, in which single values are replaced and everything else stays byte for byte.
struct JSONText {
    private(set) var bytes: [UInt8]

    /// - Parameter bytes: a document that was parsed before: nothing is checked here.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Puts a value in the place of another. A key that is missing is added to its object, at the end.
    ///
    /// - Returns: `false` when there is no such place.
    mutating func set(_ pointer: JSONPointer, to value: JSONValue) -> Bool {
        var writer = JSONWriter()
        writer.value(value)
        if let range = range(of: pointer.tokens[...]) {
            bytes.replaceSubrange(range, with: writer.bytes)
            return true
        }
        guard let key = pointer.tokens.last, let parent = range(of: pointer.tokens.dropLast()),
            bytes[parent.lowerBound] == UInt8(ascii: "{")
        else { return false }
        var keyWriter = JSONWriter()
        keyWriter.value(.string(key))
        var place = parent.lowerBound + 1
        var addition = keyWriter.bytes + Array(": ".utf8)
        if let last = members(of: parent.lowerBound).last {
            // Like the member before: the same line break and indentation, the same blanks around the colon.
            place = last.value.upperBound
            addition =
                [UInt8(ascii: ",")] + bytes[blanks(before: last.key.lowerBound)..<last.key.lowerBound]
                + keyWriter.bytes + bytes[last.key.upperBound..<last.value.lowerBound]
        }
        bytes.insert(contentsOf: addition + writer.bytes, at: place)
        return true
    }

    private struct Member {
        /// With its quotes.
        var key: Range<Int>
        var value: Range<Int>
    }

    /// Where the value stands.
    private func range(of tokens: ArraySlice<String>) -> Range<Int>? {
        // A byte order mark may stand before everything.
        var start = skipBlanks(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
        var end = endOfValue(start)
        for token in tokens {
            let values: [Range<Int>]
            switch bytes[start] {
            case UInt8(ascii: "{"): values = members(of: start).filter { name($0.key) == token }.map(\.value)
            case UInt8(ascii: "["):
                let elements = elements(of: start)
                values = JSONPointer.index(token).flatMap { elements.indices.contains($0) ? [elements[$0]] : nil } ?? []
            default: return nil
            }
            guard let value = values.last else { return nil }
            (start, end) = (value.lowerBound, value.upperBound)
        }
        return start..<end
    }

    private func members(of object: Int) -> [Member] {
        var members: [Member] = []
        var place = skipBlanks(object + 1)
        while bytes[place] != UInt8(ascii: "}") {
            let key = place..<endOfValue(place)
            let start = skipBlanks(skipBlanks(key.upperBound) + 1)
            let value = start..<endOfValue(start)
            members.append(Member(key: key, value: value))
            place = next(after: value)
        }
        return members
    }

    private func elements(of array: Int) -> [Range<Int>] {
        var elements: [Range<Int>] = []
        var place = skipBlanks(array + 1)
        while bytes[place] != UInt8(ascii: "]") {
            let value = place..<endOfValue(place)
            elements.append(value)
            place = next(after: value)
        }
        return elements
    }

    /// Past the comma, or at the closing bracket.
    private func next(after value: Range<Int>) -> Int {
        let place = skipBlanks(value.upperBound)
        return bytes[place] == UInt8(ascii: ",") ? skipBlanks(place + 1) : place
    }

    private func endOfValue(_ start: Int) -> Int {
        var depth = 0
        var place = start
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "\""):
                place += 1
                while bytes[place] != UInt8(ascii: "\"") { place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1 }
                place += 1
                if depth == 0 { return place }
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                place += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                // Without depth it closes what is around a number or a word.
                if depth == 0 { return place }
                depth -= 1
                place += 1
                if depth == 0 { return place }
            case UInt8(ascii: ","), 0x09, 0x0A, 0x0D, 0x20:
                if depth == 0 { return place }
                place += 1
            default: place += 1
            }
        }
        return place
    }

    private func skipBlanks(_ start: Int) -> Int {
        bytes[start...].firstIndex { !isBlank($0) } ?? bytes.count
    }

    private func blanks(before end: Int) -> Int {
        bytes[..<end].lastIndex { !isBlank($0) }.map { $0 + 1 } ?? 0
    }

    private func isBlank(_ byte: UInt8) -> Bool {
        [0x09, 0x0A, 0x0D, 0x20].contains(byte)
    }

    private func name(_ key: Range<Int>) -> String? {
        guard case .string(let name)? = try? JSONValue.parse(Array(bytes[key])) else { return nil }
        return name
    }
}
