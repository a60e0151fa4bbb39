/// Limits how often a state topic on which somebody else published is corrected: two bridges that correct each other
/// must not keep the broker busy. What comes too early is corrected later, so that nothing wrong stays.
struct Corrections<Topic: Hashable & Sendable>: Sendable {
    static var interval: Duration { .seconds(10) }

    private var last: [Topic: ContinuousClock.Instant] = [:]
    private var waiting: Set<Topic> = []

    /// Whether the topic is to be corrected now. If not, ``takeDue(at:)`` will return it.
    mutating func mayCorrect(_ topic: Topic, at now: ContinuousClock.Instant) -> Bool {
        last = last.filter { $0.value.duration(to: now) < Self.interval || waiting.contains($0.key) }
        guard last[topic] == nil else {
            waiting.insert(topic)
            return false
        }
        last[topic] = now
        return true
    }

    /// When the next topic is to be corrected that had to wait.
    var due: ContinuousClock.Instant? {
        waiting.compactMap { last[$0] }.min()?.advanced(by: Self.interval)
    }

    /// The topics whose time has come.
    mutating func takeDue(at now: ContinuousClock.Instant) -> [Topic] {
        let due = waiting.filter { last[$0].map { $0.duration(to: now) >= Self.interval } ?? true }
        for topic in due { last[topic] = now }
        waiting.subtract(due)
        return Array(due)
    }
}
