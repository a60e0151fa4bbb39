/// Limits how often a state topic on which somebody else published is corrected: two bridges that correct each other
/// must not keep the broker busy.
struct Corrections<Topic: Hashable & Sendable>: Sendable {
    static var interval: Duration { .seconds(10) }

    private var last: [Topic: ContinuousClock.Instant] = [:]

    mutating func mayCorrect(_ topic: Topic, at now: ContinuousClock.Instant) -> Bool {
        if let last = last[topic], last.duration(to: now) < Self.interval { return false }
        last = last.filter { $0.value.duration(to: now) < Self.interval }
        last[topic] = now
        return true
    }
}
