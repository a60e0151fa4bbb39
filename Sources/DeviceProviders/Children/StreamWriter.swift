import Dispatch
import Glibc
import Synchronization

/// Writes to a child's standard input, without ever waiting for the child.
final class StreamWriter: Sendable {
    private struct State {
        var pending: [UInt8] = []
        var isEnding = false
        var isClosed = false
        var isWaiting = false
    }

    private let descriptor: CInt
    private let state = Mutex(State())

    /// Writing to a child that has closed its input is an error that is seen, and no reason to die.
    private static let ignoresBrokenPipes: Void = { _ = signal(SIGPIPE, SIG_IGN) }()

    /// - Parameter descriptor: not blocking; belongs to the writer from now on.
    init(_ descriptor: CInt) {
        Self.ignoresBrokenPipes
        self.descriptor = descriptor
    }

    deinit { close() }

    func write(_ bytes: [UInt8]) {
        state.withLock { state in
            guard !state.isEnding, !state.isClosed else { return }
            state.pending += bytes
            flush(&state)
        }
    }

    /// Closes the stream when everything is written.
    func end() {
        state.withLock { state in
            state.isEnding = true
            flush(&state)
        }
    }

    /// Closes the stream at once.
    func close() {
        state.withLock { close(&$0) }
    }

    private func flush(_ state: inout State) {
        guard !state.isClosed, !state.isWaiting else { return }
        while !state.pending.isEmpty {
            let count = Glibc.write(descriptor, state.pending, state.pending.count)
            if count > 0 {
                state.pending.removeFirst(count)
            } else if errno == EAGAIN {
                return waitForRoom(&state)
            } else if errno != EINTR {
                // The child reads no more; how it ends says why.
                return close(&state)
            }
        }
        if state.isEnding { close(&state) }
    }

    /// A full pipe is rare and does not last: the child reads, or is ended when its time is up.
    private func waitForRoom(_ state: inout State) {
        state.isWaiting = true
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(5)) { [weak self] in
            self?.state.withLock { state in
                state.isWaiting = false
                self?.flush(&state)
            }
        }
    }

    private func close(_ state: inout State) {
        guard !state.isClosed else { return }
        state.isClosed = true
        state.pending = []
        _ = Glibc.close(descriptor)
    }
}
