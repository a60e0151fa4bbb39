/// When to try again: after 1, 2, 4, 8, 16, then every 30 seconds, each ± 20 % so that many clients of one broker don't
/// come all at once. A connection that lived 30 seconds starts the row anew; a shorter one doesn't, so that two clients
/// fighting for one client id get slower.
struct ReconnectSchedule: Sendable {
    private static let delays = [1, 2, 4, 8, 16, 30]
    private static let stableAfter = Duration.seconds(30)

    private var step = 0

    /// The pause after an attempt that failed, or after a connection that lived for `connectedFor`.
    /// - Parameter random: -1 to 1.
    mutating func nextDelay(connectedFor: Duration?, random: Double) -> Duration {
        if let connectedFor, connectedFor >= Self.stableAfter { step = 0 }
        let seconds = Double(Self.delays[min(step, Self.delays.count - 1)])
        step += 1
        return .milliseconds(Int(seconds * (1 + 0.2 * random) * 1000))
    }
}
