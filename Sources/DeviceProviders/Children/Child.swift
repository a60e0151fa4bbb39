import Dispatch
import Foundation
import Glibc
import Synchronization

/// A program that runs as a child of this process, in a process group of its own.
///
/// When it has ended, what it left behind in its group is ended too, and it is reaped: no zombies.
final class Child: Sendable {
    /// What happens with what the child says. Called one after the other, on a queue of the child's own; while one runs
    /// nothing more is read, so that a child that floods us has to wait.
    struct Handlers: Sendable {
        var output: @Sendable (UnsafeRawBufferPointer) -> Void
        var errors: @Sendable (UnsafeRawBufferPointer) -> Void
        /// Comes last, when all output was handed over.
        var ended: @Sendable (Ending) -> Void
    }

    /// How a child ended.
    enum Ending: Sendable, Equatable {
        case exitCode(CInt)
        case signal(CInt)
    }

    private struct State {
        /// Once it is reaped its number may belong to somebody else.
        var isReaped = false
        var isTerminating = false
    }

    /// Between the request to end and the end by force.
    private static let grace = DispatchTimeInterval.milliseconds(500)

    let pid: pid_t
    private let queue: DispatchQueue
    private let state = Mutex(State())
    private let output: StreamReader
    private let errors: StreamReader
    /// Its standard input, if it has one.
    let input: StreamWriter?

    /// - Throws: when the program can't be started.
    init(_ launch: Launch, hasInput: Bool, handlers: Handlers) throws(DeviceError) {
        let streams: ChildStreams
        (pid, streams) = try RunningGroups.start { () throws(DeviceError) in try launch.spawn(hasInput: hasInput) }
        queue = DispatchQueue(label: "child.\(launch.name)")
        output = StreamReader(streams.output, queue: queue, take: handlers.output)
        errors = StreamReader(streams.errors, queue: queue, take: handlers.errors)
        input = streams.input.map { [queue] in StreamWriter($0, queue: queue) }
        // The system tells the end of a child only to who waits for it.
        let waiting = Thread {
            let ending = self.waitForEnd()
            self.queue.async {
                self.output.finish()
                self.errors.finish()
                self.input?.close()
                handlers.ended(ending)
            }
        }
        waiting.stackSize = 128 << 10
        waiting.start()
    }

    /// Asks the child and all of its group to end, and ends them by force after half a second.
    func terminate() {
        let isFirst = state.withLock { state in
            defer { state.isTerminating = true }
            return !state.isTerminating
        }
        guard isFirst else { return }
        signalGroup(SIGTERM)
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.grace) { self.signalGroup(SIGKILL) }
    }

    private func signalGroup(_ signal: CInt) {
        state.withLock { state in
            if !state.isReaped { _ = kill(-pid, signal) }
        }
    }

    private func waitForEnd() -> Ending {
        var information = siginfo_t()
        while waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        return state.withLock { state in
            // While the child is not reaped, nobody else can have its group's number.
            kill(-pid, SIGKILL)
            var status: CInt = 0
            waitpid(pid, &status, 0)
            state.isReaped = true
            RunningGroups.ended(pid)
            let signal = status & 0x7f
            return signal == 0 ? .exitCode((status >> 8) & 0xff) : .signal(signal)
        }
    }
}

extension Child.Ending: CustomStringConvertible {
    /// Continues "the command …".
    var description: String {
        switch self {
        case .exitCode(let code): "ended with exit code \(code)"
        case .signal(let number): "was ended by the signal \(String(cString: strsignal(number)).lowercased())"
        }
    }
}
