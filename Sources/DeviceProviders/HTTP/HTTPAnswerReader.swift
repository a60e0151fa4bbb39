/// Takes the bytes of an answer as they come (RFC 9112), also those of devices that are careless with line ends,
/// reasons and headers.
///
/// `URLSession` is not used here: on Linux it ends the whole process when a chunked answer has trailers, refuses status
/// lines without a reason, and can neither trust a certificate of one's own nor do without the environment's proxy.
struct HTTPAnswerReader {
    private enum State {
        case head
        case body(left: Int)
        case bodyUntilClose
        case chunkSize
        case chunk(left: Int)
        case chunkEnd
        case trailers
        case complete
    }

    /// How many bytes the lines before the body may have, and how many any line.
    private static let headLimit = 65_536
    /// How many bytes the lines around chunks may have for each byte of the body, besides `headLimit`: devices send chunks
    /// of a single byte.
    private static let overhead = 32

    private var answer = HTTPAnswer(status: 0)
    private(set) var keepsConnection = false
    /// How many bytes came.
    private(set) var count = 0
    private let limit: Int
    private var state = State.head
    private var buffer: [UInt8] = []
    private var position = 0
    /// How many bytes the lines so far had.
    private var lineCount = 0

    /// - Parameter limit: how many bytes the body may have.
    init(limit: Int) {
        self.limit = limit
    }

    /// The answer, once it is there as a whole.
    var completed: HTTPAnswer? {
        if case .complete = state { answer } else { nil }
    }

    mutating func append(_ bytes: some Sequence<UInt8>) throws(HTTPFailure) {
        buffer.removeFirst(position)
        position = 0
        let before = buffer.count
        buffer.append(contentsOf: bytes)
        count += buffer.count - before
        while try step() {}
    }

    /// The device closed the connection: the end of the answer, or one too early.
    mutating func end() throws(HTTPFailure) {
        if case .bodyUntilClose = state { state = .complete }
        guard completed != nil else { throw .closed(afterBytes: count) }
    }

    /// - Returns: whether there is more to do with the bytes at hand.
    private mutating func step() throws(HTTPFailure) -> Bool {
        switch state {
        case .head:
            guard let line = try line() else { return false }
            try takeHeadLine(line)
        case .body(let left):
            let taken = take(left)
            state = left == taken ? .complete : .body(left: left - taken)
            return left == taken
        case .bodyUntilClose:
            take(buffer.count - position)
            guard answer.body.count <= limit else { throw .tooLarge(limit: limit) }
            return false
        case .chunkSize:
            guard let line = try line() else { return false }
            let digits = line.split(separator: ";", omittingEmptySubsequences: false)[0].filter { !$0.isWhitespace }
            guard !digits.isEmpty, digits.utf8.count <= 15, let size = Int(digits, radix: 16), size >= 0 else {
                throw .malformed("a chunk without a size")
            }
            guard size <= limit - answer.body.count else { throw .tooLarge(limit: limit) }
            state = size == 0 ? .trailers : .chunk(left: size)
        case .chunk(let left):
            let taken = take(left)
            state = left == taken ? .chunkEnd : .chunk(left: left - taken)
            return left == taken
        case .chunkEnd:
            guard let line = try line() else { return false }
            guard line.isEmpty else { throw .malformed("a chunk longer than its size") }
            state = .chunkSize
        case .trailers:
            guard let line = try line() else { return false }
            if line.isEmpty { state = .complete }
        case .complete:
            // What follows belongs to no request.
            if position < buffer.count { keepsConnection = false }
            return false
        }
        return true
    }

    @discardableResult private mutating func take(_ most: Int) -> Int {
        let end = min(buffer.count, position + most)
        answer.body.append(contentsOf: buffer[position..<end])
        defer { position = end }
        return end - position
    }

    /// The next line without its end, `nil` while it has none.
    private mutating func line() throws(HTTPFailure) -> String? {
        let end = buffer[position...].firstIndex(of: UInt8(ascii: "\n"))
        let next = end.map { $0 + 1 } ?? buffer.count
        let count = next - position
        guard count <= Self.headLimit, lineCount + count <= Self.headLimit + Self.overhead * answer.body.count else {
            throw .malformed(linesTooLong)
        }
        guard let end else { return nil }
        var bytes = buffer[position..<end]
        lineCount += count
        position = next
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    private var linesTooLong: String {
        if case .head = state { "a header of more than \(Self.headLimit) bytes" } else { "too much around its chunks" }
    }

    private mutating func takeHeadLine(_ line: String) throws(HTTPFailure) {
        if answer.status == 0 {
            // Some devices send an empty line too many after the answer before.
            if line.isEmpty { return }
            let words = line.split(separator: " ", maxSplits: 2)
            guard let version = words.first, version.hasPrefix("HTTP/"), words.count > 1, let status = Int(words[1]),
                (100...999).contains(status)
            else { throw .notHTTP(String(line.prefix(1_000))) }
            answer.status = status
            keepsConnection = version != "HTTP/1.0"
        } else if !line.isEmpty {
            takeField(line)
        } else if (100...199).contains(answer.status), answer.status != 101 {
            answer = HTTPAnswer(status: 0)
        } else {
            try beginBody()
        }
    }

    private mutating func takeField(_ line: String) {
        if line.first == " " || line.first == "\t" {
            guard !answer.fields.isEmpty else { return }
            answer.fields[answer.fields.count - 1].value += " " + Self.printable(line.drop { $0.isWhitespace })
            return
        }
        guard let colon = line.firstIndex(of: ":") else { return }
        let value = line[line.index(after: colon)...].drop { $0.isWhitespace }
        let end = value.lastIndex { !$0.isWhitespace }
        answer.fields.append(
            HTTPAnswer.Field(name: String(line[..<colon]), value: end.map { Self.printable(value[...$0]) } ?? ""))
    }

    /// Without control characters, since some values go back to the device.
    private static func printable(_ text: Substring) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.properties.generalCategory != .control }))
    }

    private mutating func beginBody() throws(HTTPFailure) {
        let connection = answer.values("connection").joined(separator: ",").lowercased()
        if connection.contains("close") { keepsConnection = false }
        if connection.contains("keep-alive") { keepsConnection = true }
        let codings = answer.values("transfer-encoding").joined(separator: ",").lowercased()
        if let coding = answer.values("content-encoding").first(where: { $0.lowercased() != "identity" }) {
            throw .malformed("its body is compressed (\(coding.prefix(20))), which was not asked for")
        }
        if answer.status == 101 { throw .malformed("it changes to another protocol, which was not asked for") }
        if answer.status == 204 || answer.status == 304 {
            state = .complete
        } else if codings == "chunked" {
            state = .chunkSize
        } else if !codings.isEmpty, codings != "identity" {
            throw .malformed("its transfer encoding '\(codings.prefix(40))' is unknown")
        } else if let length = try contentLength() {
            guard length <= limit else { throw .tooLarge(limit: limit) }
            answer.body.reserveCapacity(length)
            state = length == 0 ? .complete : .body(left: length)
        } else {
            keepsConnection = false
            state = .bodyUntilClose
        }
    }

    private func contentLength() throws(HTTPFailure) -> Int? {
        let lengths = answer.values("content-length")
        guard let text = lengths.first else { return nil }
        if let other = lengths.first(where: { $0 != text }) {
            throw .malformed("it has two lengths, '\(text.prefix(20))' and '\(other.prefix(20))'")
        }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), !text.isEmpty else {
            throw .malformed("its length '\(text.prefix(20))' is no number")
        }
        // What does not fit an integer is too large in any case.
        return Int(text) ?? .max
    }
}
