/// The delay before a plug-in is started again: 1, 2, 4 … s up to a minute; 1 s again after it has lasted.
struct RestartDelay: Sendable {
    private var next = Duration.seconds(1)

    mutating func next(after life: Duration) -> Duration {
        if life >= .seconds(60) { next = .seconds(1) }
        defer { next = min(next * 2, .seconds(60)) }
        return next
    }
}
