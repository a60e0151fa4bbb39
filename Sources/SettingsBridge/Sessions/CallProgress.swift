import Synchronization

/// Which provider of an accessory is being called, and since when.
///
/// Written on the main actor, read from anywhere: the session's time limit and the watchdog must work while a provider
/// blocks the main actor.
final class CallProgress: Sendable {
    struct Entry: Sendable {
        /// Who is being called, as in "provider ThermostatProvider".
        var provider: String
        var since: ContinuousClock.Instant
    }

    let accessory: String
    private let entry = Mutex<Entry?>(nil)
    private let heldUp = Mutex(false)

    init(accessory: String) {
        self.accessory = accessory
    }

    /// `nil` while no provider is being called, also while a call waits for the main actor.
    var current: Entry? { entry.withLock { $0 } }

    func enter(_ provider: String) {
        let now = ContinuousClock.now
        entry.withLock { $0 = Entry(provider: provider, since: now) }
    }

    /// Since when the time of the running call counts; `nil` while another provider blocks the main actor.
    var entered: ContinuousClock.Instant? { heldUp.withLock { $0 } ? nil : current?.since }

    /// Notes whether a provider of another accessory blocks the main actor, where a call of this one can't go on.
    func holdUp(_ isHeldUp: Bool) { heldUp.withLock { $0 = isHeldUp } }

    func leave() {
        entry.withLock { $0 = nil }
    }
}
