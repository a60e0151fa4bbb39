import Glibc

/// Ends the wait of a thread from outside.
final class Interruption: Sendable {
    /// Readable from the moment of the interruption; -1 if the system has no descriptor left.
    let descriptor: Int32
    private let writeEnd: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends)
        (descriptor, writeEnd) = (ends[0], ends[1])
    }

    deinit {
        close(descriptor)
        close(writeEnd)
    }

    func interrupt() {
        var byte: UInt8 = 0
        _ = write(writeEnd, &byte, 1)
    }

    /// Waits for the interruption.
    ///
    /// - Returns: whether it came within the limit.
    func happens(within limit: Duration) -> Bool {
        var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&state, 1, Int32(limit / .milliseconds(1))) > 0
    }
}
