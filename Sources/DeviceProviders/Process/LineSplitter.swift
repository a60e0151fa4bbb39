/// Cuts a stream of bytes into lines.
struct LineSplitter: Sendable {
    /// A line without its end.
    struct Line: Sendable, Equatable {
        var bytes: [UInt8] = []
        /// Whether it was longer, and this is its beginning.
        var isCut = false
    }

    /// How many bytes of a line are kept.
    let limit: Int
    /// The line that has no end yet.
    private(set) var rest = Line()

    /// - Returns: the lines that are complete now.
    mutating func append(_ bytes: UnsafeRawBufferPointer) -> [Line] {
        var lines: [Line] = []
        var start = bytes.startIndex
        while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
            keep(bytes[start..<end])
            if !rest.isCut, rest.bytes.last == UInt8(ascii: "\r") { rest.bytes.removeLast() }
            lines.append(takeRest())
            start = end + 1
        }
        keep(bytes[start...])
        return lines
    }

    private mutating func keep(_ more: Slice<UnsafeRawBufferPointer>) {
        let room = limit - rest.bytes.count
        rest.bytes += more.prefix(room)
        if more.count > room { rest.isCut = true }
    }

    mutating func takeRest() -> Line {
        defer { rest = Line() }
        return rest
    }
}
