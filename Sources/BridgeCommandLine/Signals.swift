import Dispatch
import Foundation
import SettingsBridge
import Synchronization

/// SIGTERM and SIGINT: the first one stops the bridge cleanly, a second one ends the process at once. SIGHUP reloads the
/// configuration.
///
/// Nothing here waits for the main thread, which a provider may block. To be made outside the main actor: a handler
/// that is written there would have to run there.
final class Signals {
    /// From the signal to the end of the process, with something left for the end itself within the promised 5 s.
    private static let limit = DispatchTimeInterval.milliseconds(4500)

    private let sources: [any DispatchSourceSignal]

    /// - Parameters:
    ///   - stop: stops the bridge; afterwards the process ends.
    ///   - reload: reads the configuration again.
    init(log: Log, stop: @escaping @Sendable () async -> Void, reload: @escaping @Sendable () async -> Void) {
        // A reader of our output that goes away is no reason to die.
        signal(SIGPIPE, SIG_IGN)
        // A supervisor may have left it ignored; then the exit codes of children would be lost.
        signal(SIGCHLD, SIG_DFL)
        let queue = DispatchQueue(label: "signals")
        let first = Mutex<(number: Int32, at: ContinuousClock.Instant)?>(nil)
        // Dispatch installs handlers of its own. The signals must not be ignored: children would inherit that.
        let hangUp = DispatchSource.makeSignalSource(signal: SIGHUP, queue: queue)
        hangUp.setEventHandler { Task { await reload() } }
        hangUp.activate()
        let ends = [(SIGTERM, "SIGTERM"), (SIGINT, "SIGINT")].map { number, name in
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                let earlier = first.withLock { first in
                    defer { first = first ?? (number, .now) }
                    return first
                }
                // `timeout` and shells send one signal to the process and then to its group: that is still the first.
                if let earlier, earlier.number == number, earlier.at.duration(to: .now) < .milliseconds(500) { return }
                guard earlier == nil else {
                    return Self.leave(.failed, log, "a second signal, \(name): the bridge ends at once")
                }
                log.info("bridge", "\(name) received")
                Task {
                    await stop()
                    ExitCode.done.leave()
                }
                queue.asyncAfter(deadline: .now() + Self.limit) {
                    Self.leave(.done, log, "not everything could be finished in time; the bridge ends now")
                }
            }
            source.activate()
            return source
        }
        sources = [hangUp] + ends
    }

    private static func leave(_ code: ExitCode, _ log: Log, _ reason: String) {
        log.warning("bridge", reason)
        StandardErrorSink.flush()
        code.leaveAtOnce()
    }

    func cancel() {
        for source in sources { source.cancel() }
    }
}
