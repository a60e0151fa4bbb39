import Dispatch
import Foundation
import Glibc
import Synchronization

/// A program that runs as a child of this process, in a process group of its own.
///
/// When it has ended, what it left behind in its group is ended too, and it is reaped: no zombies.
final class Child: Sendable {
    /// What happens with what the child says. Called one after the other, on a thread of the child's own; while one runs
    /// nothing more is read, so that a child that floods us has to wait.
    struct Handlers: Sendable {
        var output: @Sendable (UnsafeRawBufferPointer) -> Void
        var errors: @Sendable (UnsafeRawBufferPointer) -> Void
        /// Comes last, when all output was handed over and the child is reaped.
        var ended: @Sendable (Ending) -> Void
    }

    /// How a child ended.
    enum Ending: Sendable, Equatable {
        case exitCode(CInt)
        case signal(CInt)
        /// Somebody else in this process has waited for it.
        case unknown
    }

    private struct State {
        /// Once it is reaped its number may belong to somebody else.
        var isReaped = false
        var isTerminating = false
    }

    /// Between the request to end and the end by force.
    private static let grace = DispatchTimeInterval.milliseconds(500)

    /// Enough for what the handlers do, such as understanding JSON.
    private static let stackSize = 2 << 20

    let pid: pid_t
    private let state = Mutex(State())
    private let startedAt = ContinuousClock.now
    /// Its standard input, if it has one.
    let input: StreamWriter?

    /// - Throws: when the program can't be started.
    convenience init(_ launch: Launch, hasInput: Bool, handlers: Handlers) throws(DeviceError) {
        let (pid, streams) = try RunningGroups.start(launch.program) { () throws(DeviceError) in
            try launch.spawn(hasInput: hasInput)
        }
        self.init(pid, streams, handlers)
    }

    /// Attends to a child that was started.
    init(_ pid: pid_t, _ streams: ChildStreams, _ handlers: Handlers) {
        self.pid = pid
        input = streams.input.map { StreamWriter($0) }
        let thread = Thread {
            self.attend(
                StreamReader(streams.output, take: handlers.output), StreamReader(streams.errors, take: handlers.errors)
            )
            let ending = self.reap()
            self.input?.close()
            handlers.ended(ending)
        }
        thread.stackSize = Self.stackSize
        thread.start()
    }

    /// Reads until both streams have ended, or the child has though something it has started keeps them open.
    private func attend(_ output: StreamReader, _ errors: StreamReader) {
        var (output, errors) = (output, errors)
        var looked = ContinuousClock.now
        while output.isOpen || errors.isOpen {
            // Streams that stay open are rare, so that looking now and then is enough: every 20 ms at first, every second
            // for a child that has lasted.
            let pause = min(max((looked - startedAt) / 10, .milliseconds(20)), .seconds(1))
            var requests = [output.request, errors.request]
            _ = poll(&requests, 2, CInt(pause / .milliseconds(1)))
            if requests[0].revents != 0 { output.readChunk() }
            if requests[1].revents != 0 { errors.readChunk() }
            guard ContinuousClock.now - looked >= pause else { continue }
            looked = .now
            if hasEnded {
                signalGroup(SIGKILL)
                output.finish()
                errors.finish()
            }
        }
    }

    private var hasEnded: Bool {
        var information = siginfo_t()
        guard waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT | WNOHANG) == 0 else {
            guard errno == ECHILD else { return false }
            state.withLock { forget(&$0) }
            return true
        }
        // Without an end the signal's number stays 0.
        return information.si_signo != 0
    }

    /// When the number is free, or is about to be: nobody may send it a signal any more.
    private func forget(_ state: inout State) {
        state.isReaped = true
        RunningGroups.ended(pid)
    }

    /// Asks the child and all of its group to end, and ends them by force after half a second.
    func terminate() {
        let isFirst = state.withLock { state in
            defer { state.isTerminating = true }
            if !state.isReaped { RunningGroups.willEnd(pid) }
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

    /// Waits for the end of the child, and ends what it leaves behind in its group.
    private func reap() -> Ending {
        var information = siginfo_t()
        var result = waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT)
        while result != 0, errno == EINTR { result = waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) }
        return state.withLock { state in
            // While the child is not reaped, nobody else can have its group's number.
            if result == 0 { kill(-pid, SIGKILL) }
            forget(&state)
            guard result == 0 else { return .unknown }
            var status: CInt = 0
            var reaped = waitpid(pid, &status, 0)
            while reaped < 0, errno == EINTR { reaped = waitpid(pid, &status, 0) }
            guard reaped == pid else { return .unknown }
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
        case .unknown: "ended, nobody can say how"
        }
    }
}
