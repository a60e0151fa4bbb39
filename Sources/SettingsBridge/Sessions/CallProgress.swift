import Synchronization

/// Which provider of an accessory is being called, and since when.
///
/// Written on the main actor, read from anywhere: the session's time limit and the watchdog must work while a provider
/// blocks the main actor.
final class CallProgress: Sendable {
    struct Entry: Sendable {
        var provider: String
        var since: ContinuousClock.Instant
    }

    let accessory: String
    private let entry = Mutex<Entry?>(nil)

    init(accessory: String) {
        self.accessory = accessory
    }

    /// `nil` while no provider is being called, also while a call waits for the main actor.
    var current: Entry? { entry.withLock { $0 } }

    func enter(_ provider: String) {
        let now = ContinuousClock.now
        entry.withLock { $0 = Entry(provider: provider, since: now) }
    }

    func leave() {
        entry.withLock { $0 = nil }
    }
}
