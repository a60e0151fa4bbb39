import Glibc

/// What is read of a child: one of its output streams.
///
/// Not a dispatch source: libdispatch crashes on Linux now and then when the source of a pipe is cancelled while an event
/// of it is on its way.
struct StreamReader {
    private static let chunk = 65_536
    /// What a pipe can hold at most, unless the system's administrator allows more.
    private static let mostInPipe = 1 << 20

    private var descriptor: CInt
    private let take: @Sendable (UnsafeRawBufferPointer) -> Void

    /// - Parameters:
    ///   - descriptor: not blocking; belongs to the reader from now on.
    ///   - take: gets the bytes.
    init(_ descriptor: CInt, take: @escaping @Sendable (UnsafeRawBufferPointer) -> Void) {
        self.descriptor = descriptor
        self.take = take
    }

    var isOpen: Bool { descriptor >= 0 }

    /// To wait for bytes or the end with. Once it is closed there is nothing to wait for.
    var request: pollfd { pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0) }

    /// Reads once, and closes the stream at its end.
    ///
    /// - Returns: how many bytes there were.
    @discardableResult
    mutating func readChunk() -> Int {
        guard isOpen else { return 0 }
        let count = withUnsafeTemporaryAllocation(byteCount: Self.chunk, alignment: 1) { buffer in
            let count = read(descriptor, buffer.baseAddress, buffer.count)
            if count > 0 { take(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
            return count
        }
        if count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR) { close() }
        return max(count, 0)
    }

    /// When the child has ended: takes what is left, and reads no more, even if something else still has the stream open.
    mutating func finish() {
        var rest = Self.mostInPipe
        while rest > 0 {
            let count = readChunk()
            guard count > 0 else { break }
            rest -= count
        }
        close()
    }

    private mutating func close() {
        if isOpen { Glibc.close(descriptor) }
        descriptor = -1
    }
}
