internal import Glibc

/// A pair of sockets that wakes the network thread out of `poll`.
final class Waker: Sendable {
    /// To poll for reading; -1 if the system has no descriptor left, and then the thread wakes once a second only.
    let descriptor: Int32
    private let writeEnd: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        let kind = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
        socketpair(AF_UNIX, CInt(kind), 0, &ends)
        (descriptor, writeEnd) = (ends[0], ends[1])
    }

    deinit {
        close(descriptor)
        close(writeEnd)
    }

    func wake() {
        var byte: UInt8 = 0
        // A full one has woken it already.
        _ = write(writeEnd, &byte, 1)
    }

    func drain() {
        var bytes = (0 as UInt64, 0 as UInt64)
        while read(descriptor, &bytes, MemoryLayout.size(ofValue: bytes)) > 0 {}
    }
}
