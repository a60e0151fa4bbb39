import Glibc
import Synchronization

/// The process groups of all children that run, so that none outlives the bridge.
package enum RunningGroups {
    private struct Group {
        var program: Launch.Program
        /// Whether it was asked to end.
        var isEnding = false
    }

    private struct State {
        var groups: [pid_t: Group] = [:]
        var isClosed = false
    }

    private static let state = Mutex(State())

    /// Who started us may have left the signal of ended children ignored; then the system forgets how they ended. A handler
    /// of somebody else stays.
    private static let learnsOfEnds: Void = {
        var action = sigaction()
        sigaction(SIGCHLD, nil, &action)
        let ignores =
            unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
        if ignores || action.sa_flags & SA_NOCLDWAIT != 0 { signal(SIGCHLD, SIG_DFL) }
    }()

    /// Starts a child, unless the bridge is about to end.
    static func start(
        _ program: Launch.Program,
        _ spawn: @Sendable () throws(DeviceError) -> (pid: pid_t, streams: ChildStreams)
    ) throws(DeviceError) -> (pid: pid_t, streams: ChildStreams) {
        learnsOfEnds
        // Under the lock, so that no child is started unseen while all are being ended. It takes about a millisecond.
        return try state.withLock { state throws(DeviceError) in
            guard !state.isClosed else { throw DeviceError("the bridge is about to end") }
            let child = try spawn()
            state.groups[child.pid] = Group(program: program)
            return child
        }
    }

    /// Whether no child is started any more.
    static var isClosed: Bool { state.withLock { $0.isClosed } }

    static func willEnd(_ group: pid_t) {
        state.withLock { $0.groups[group]?.isEnding = true }
    }

    /// Just before its number is free for others.
    static func ended(_ group: pid_t) {
        state.withLock { $0.groups[group] = nil }
    }

    /// Whether a child with this program was asked to end and still runs.
    static func isEnding(_ program: Launch.Program) -> Bool {
        state.withLock { $0.groups.values.contains { $0.isEnding && $0.program == program } }
    }

    /// Ends all children with their groups, by force those that are still there after the time given. No child is started
    /// any more. For the end of the process.
    package static func endAll(within limit: Duration) {
        signalAll(SIGTERM)
        let deadline = ContinuousClock.now.advanced(by: limit)
        while state.withLock({ !$0.groups.isEmpty }), ContinuousClock.now < deadline { usleep(2_000) }
        signalAll(SIGKILL)
    }

    private static func signalAll(_ signal: CInt) {
        state.withLock { state in
            state.isClosed = true
            for group in state.groups.keys { kill(-group, signal) }
        }
    }
}
