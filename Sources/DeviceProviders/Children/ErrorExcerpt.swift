/// The end of what a child printed on its standard error: programs say last why they end.
struct ErrorExcerpt: Sendable {
    private static let kept = 4096
    private static let shown = 300

    /// The last bytes.
    private var bytes: [UInt8] = []
    /// How many stood before them.
    private var forgotten = 0
    /// When they came, and how many there were before, forgotten ones included.
    private var arrivals: [(at: ContinuousClock.Instant, offset: Int)] = []

    mutating func append(_ more: some Collection<UInt8>, at now: ContinuousClock.Instant = .now) {
        arrivals.append((now, forgotten + bytes.count))
        bytes += more
        // Twice as much, so that it is seldom moved.
        guard bytes.count > 2 * Self.kept else { return }
        forgotten += bytes.count - Self.kept
        bytes.removeFirst(bytes.count - Self.kept)
        // Of those before the first byte that is kept only the last one counts.
        let later = arrivals.firstIndex { $0.offset > forgotten } ?? arrivals.count
        arrivals.removeFirst(later - 1)
    }

    /// On one line, without control characters; `nil` when nothing was printed.
    ///
    /// - Parameter beginning: what was printed before is left out.
    func sentence(hiding secrets: Redaction, since beginning: ContinuousClock.Instant? = nil) -> String? {
        var start = 0
        if let beginning {
            guard let first = arrivals.first(where: { $0.at >= beginning }) else { return nil }
            start = max(first.offset - forgotten, 0)
        }
        let text = secrets.text(bytes, from: start, isCutInFront: forgotten > 0)
        let lines = text.split(whereSeparator: \.isNewline).map(\.withoutControls)
        let line = lines.filter { !$0.allSatisfy(\.isWhitespace) }.joined(separator: " | ")
        guard !line.isEmpty else { return nil }
        return line.count > Self.shown ? "…" + line.suffix(Self.shown) : line
    }
}
