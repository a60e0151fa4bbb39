import Dispatch
import Foundation
import Synchronization

/// Notices when something blocks the main actor, and names in the log which provider was being called.
///
/// It looks once a second, and only while a provider is being called does it ask the main actor for a sign of life.
final class MainActorWatchdog: Sendable {
    /// From how long on the log speaks of it.
    static let limit = Duration.seconds(2)

    private struct State {
        /// When the sign of life that has not come yet was asked for.
        var asked: ContinuousClock.Instant?
        var isReported = false
    }

    private let watched = Mutex<[CallProgress]>([])
    private let log: Log
    private let state = Mutex(State())

    init(log: Log) {
        self.log = log
    }

    /// Chooses the sessions to watch.
    func watch(_ sessions: [CallProgress]) {
        watched.withLock { $0 = sessions }
    }

    /// Whether something blocks the main actor for longer than ``limit``.
    var isBlocked: Bool { state.withLock { $0.isReported } }

    /// For how long something has been blocking the main actor, as far as is known.
    var blockedFor: Duration { state.withLock { $0.asked?.duration(to: .now) } ?? .zero }

    /// Watches until the task is cancelled.
    func run() async {
        while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(1), tolerance: .milliseconds(500))
            look()
        }
    }

    private func look() {
        let sessions = watched.withLock { $0 }
        let asked = state.withLock { $0.asked }
        guard let asked else {
            if sessions.contains(where: { $0.current != nil }) { ask() }
            return
        }
        let blocked = asked.duration(to: .now)
        guard blocked >= Self.limit, state.withLock({ !$0.isReported }) else { return }
        let calls = sessions.compactMap { session in session.current.map { (session, $0) } }
        // The one entered last is the one most likely to be on the main actor now.
        let suspect = calls.max { $0.1.since < $1.1.since }
        state.withLock { $0.isReported = true }
        for session in sessions { session.holdUp(session !== suspect?.0) }
        if let (session, call) = suspect {
            log.error(session.accessory, "\(call.provider) blocks the main actor for \(blocked.text) so far")
        } else {
            log.error("bridge", "something blocks the main actor for \(blocked.text) so far")
        }
    }

    private func ask() {
        state.withLock { $0.asked = .now }
        DispatchQueue.main.async { [self] in
            let (asked, wasReported) = state.withLock { state in
                defer { state = State() }
                return (state.asked, state.isReported)
            }
            guard wasReported, let asked else { return }
            for session in watched.withLock({ $0 }) { session.holdUp(false) }
            log.info("bridge", "the main actor is free again after \(asked.duration(to: .now).text)")
        }
    }
}
