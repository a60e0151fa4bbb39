/// A condition that did not come true in time.
public struct TimedOut: Error, CustomStringConvertible {
    public let description: String
}

/// Waits until the condition holds, looking every few milliseconds.
/// - Parameter what: what is waited for, for the message of the failure.
public func waitUntil(
    _ what: String, within limit: Duration = .seconds(30), file: String = #fileID, line: Int = #line,
    _ condition: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + limit
    while true {
        if try await condition() { return }
        guard ContinuousClock.now < deadline else {
            throw TimedOut(description: "waited \(limit) in vain: \(what) (\(file):\(line))")
        }
        try await Task.sleep(for: .milliseconds(5))
    }
}
