/// Cuts a stream of bytes into lines.
struct LineSplitter: Sendable {
    /// The line that has no end yet.
    private(set) var rest: [UInt8] = []

    /// - Returns: the lines that are complete now, without their line ends.
    mutating func append(_ bytes: UnsafeRawBufferPointer) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        var start = bytes.startIndex
        while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
            rest += bytes[start..<end]
            if rest.last == UInt8(ascii: "\r") { rest.removeLast() }
            lines.append(takeRest())
            start = end + 1
        }
        rest += bytes[start...]
        return lines
    }

    mutating func takeRest() -> [UInt8] {
        defer { rest = [] }
        return rest
    }
}
