import Dispatch
import Glibc

/// Reads what a child prints, as it comes. A child that prints more than is taken waits.
final class StreamReader: Sendable {
    private static let chunk = 65_536
    /// What a pipe can hold at most, unless the system's administrator allows more.
    private static let mostInPipe = 1 << 20

    private let descriptor: CInt
    private let take: @Sendable (UnsafeRawBufferPointer) -> Void
    /// Safe: sources may be used from any thread.
    nonisolated(unsafe) private let source: any DispatchSourceRead

    /// - Parameters:
    ///   - descriptor: not blocking; belongs to the reader from now on.
    ///   - take: gets the bytes, on the queue.
    init(_ descriptor: CInt, queue: DispatchQueue, take: @escaping @Sendable (UnsafeRawBufferPointer) -> Void) {
        self.descriptor = descriptor
        self.take = take
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler { [weak self] in
            guard let self, readChunk() == .end else { return }
            source.cancel()
        }
        source.setCancelHandler { close(descriptor) }
        source.activate()
    }

    /// On the queue, when the child has ended: takes what is left, and reads no more, even if something else still has the
    /// stream open.
    func finish() {
        guard !source.isCancelled else { return }
        var rest = Self.mostInPipe
        while rest > 0, case .some(let count) = readChunk() { rest -= count }
        source.cancel()
    }

    private enum Progress: Equatable {
        case some(Int)
        case nothing, end
    }

    private func readChunk() -> Progress {
        withUnsafeTemporaryAllocation(byteCount: Self.chunk, alignment: 1) { buffer in
            let count = read(descriptor, buffer.baseAddress, buffer.count)
            if count > 0 {
                take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                return .some(count)
            }
            return count < 0 && (errno == EAGAIN || errno == EINTR) ? .nothing : .end
        }
    }
}
