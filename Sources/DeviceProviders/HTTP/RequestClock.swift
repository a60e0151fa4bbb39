import Glibc
import SettingsBridge

/// How long a request may still take, and whether anybody waits for it.
struct RequestClock: Sendable {
    private let limit: Duration
    private let deadline: ContinuousClock.Instant
    private let interruption: Interruption

    init(limit: Duration, interruption: Interruption) {
        self.init(limit: limit, deadline: .now.advanced(by: limit), interruption: interruption)
    }

    private init(limit: Duration, deadline: ContinuousClock.Instant, interruption: Interruption) {
        (self.limit, self.deadline, self.interruption) = (limit, deadline, interruption)
    }

    /// Half of the time that is left.
    var half: RequestClock {
        RequestClock(
            limit: limit, deadline: .now.advanced(by: ContinuousClock.now.duration(to: deadline) / 2),
            interruption: interruption)
    }

    func check() throws(HTTPFailure) {
        if deadline <= .now { throw .timedOut(limit) }
    }

    /// Waits until the socket is ready.
    ///
    /// - Throws: ``HTTPFailure/timedOut(_:)`` when the time is up, or nobody waits any more.
    func wait(for events: Int16, on descriptor: Int32) throws(HTTPFailure) {
        while true {
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { throw .timedOut(limit) }
            var states = [
                pollfd(fd: descriptor, events: events, revents: 0),
                pollfd(fd: interruption.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            // Rounded up: a wait of 0 ms would spin.
            let milliseconds = Int32(min(left / .milliseconds(1) + 1, 1e9))
            let count = poll(&states, 2, milliseconds)
            if count > 0, states[1].revents != 0 { throw .timedOut(limit) }
            if count > 0 { return }
        }
    }
}
