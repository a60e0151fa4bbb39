/// What the configuration says about one accessory's reads and writes.
struct SessionLimits: Sendable {
    /// How long one call of a provider may take, from entering it.
    var timeout: Duration
    /// How often the accessory is read; zero for never.
    var refreshInterval: Duration
    /// After how many failures in a row the accessory is offline, at least 1.
    var offlineAfter: Int
    /// A factor for the pauses between tries, 0.8 to 1.2: accessories that failed together must not try together.
    var jitter: @Sendable () -> Double = { .random(in: 0.8...1.2) }
}

/// What happened to an accessory, for `bridge/health`.
struct SessionCounters: Sendable {
    var reads = 0
    var writes = 0
    var failures = 0
    var lastRead: ContinuousClock.Instant?

    mutating func count(_ call: SessionMachine.Call, _ result: CallResult, at now: ContinuousClock.Instant) {
        if !call.changes.isEmpty { writes += 1 }
        failures += result.failures.count
        switch result.reading {
        case .success:
            reads += 1
            lastRead = now
        case .failure: failures += 1
        }
    }
}

/// Failures in a row, and the pause before the next try.
struct FailureCount: Sendable {
    private(set) var count = 0

    mutating func add() { count += 1 }

    /// 1 s after the first failure, doubling to 5 minutes.
    ///
    /// - Parameter jitter: a factor that keeps accessories that failed together from trying together.
    func retryDelay(jitter: Double) -> Duration {
        let doublings = min(max(count - 1, 0), 9)
        return min(.seconds(1 << doublings), .seconds(300)) * jitter
    }
}

/// Lets the accessory JSON out at most once per 100 ms; the last one always follows.
struct DocumentThrottle: Sendable {
    static let interval = Duration.milliseconds(100)

    private var last: ContinuousClock.Instant?
    /// When the JSON that was held back is to be published.
    private(set) var due: ContinuousClock.Instant?

    mutating func mayPublish(at now: ContinuousClock.Instant) -> Bool {
        if let last, last.advanced(by: Self.interval) > now {
            due = last.advanced(by: Self.interval)
            return false
        }
        last = now
        due = nil
        return true
    }

    func isDue(at now: ContinuousClock.Instant) -> Bool {
        due.map { $0 <= now } ?? false
    }
}

extension Duration {
    /// "10 s", "250 ms": for sentences.
    package var text: String {
        let milliseconds = components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
        return milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000) s" : "\(milliseconds) ms"
    }
}
