import Foundation

/// Decides which lines of the log are written, and which are only counted.
///
/// Time is cut into windows; one begins with the first line after the last. Within it the same line again is counted,
/// and so is what goes beyond a number of different lines of one source and level: each level by itself, so that no
/// noise hides an error. At its end one line each tells what was counted. A value without a clock.
struct LogLimiter: Sendable {
    static let window = Duration.seconds(10)

    /// How many different lines of one source are written within a window. Accessories are sources of their own, so that
    /// this is no limit for a start with many of them.
    static func limit(_ level: LogLevel) -> Int { level == .debug ? 200 : 20 }

    private struct Origin: Hashable {
        var source: String
        var level: LogLevel
    }

    private struct Line: Hashable {
        var origin: Origin
        var message: String
    }

    private struct Count {
        var written = 1
        var leftOut = 0
        var last: LogEntry?

        mutating func leaveOut(_ entry: LogEntry) {
            leftOut += 1
            last = entry
        }
    }

    private var end: ContinuousClock.Instant?
    /// What was written within the window. Lines beyond the limit are not in it, which bounds it.
    private var lines: [Line: Count] = [:]
    private var origins: [Origin: Count] = [:]
    private var hasLeftOut = false

    /// When ``takeDue(at:)`` has something to tell, if no further line comes.
    var due: ContinuousClock.Instant? { hasLeftOut ? end : nil }

    /// Takes a line of the log.
    ///
    /// - Returns: what is to be written now, in this order.
    mutating func take(_ entry: LogEntry, at now: ContinuousClock.Instant) -> [LogEntry] {
        let due = takeDue(at: now, time: entry.time)
        if end == nil { end = now.advanced(by: Self.window) }
        let origin = Origin(source: entry.source, level: entry.level)
        let line = Line(origin: origin, message: entry.message)
        if lines[line] != nil {
            lines[line]?.leaveOut(entry)
        } else if let count = origins[origin], count.written >= Self.limit(entry.level) {
            origins[origin]?.leaveOut(entry)
        } else {
            lines[line] = Count()
            origins[origin, default: Count(written: 0)].written += 1
            return due + [entry]
        }
        hasLeftOut = true
        return due
    }

    /// Ends the window if its time is over.
    ///
    /// - Parameter time: what time it is, for the lines.
    /// - Returns: the lines that tell what was left out, in the order in which it came.
    mutating func takeDue(at now: ContinuousClock.Instant, time: Date) -> [LogEntry] {
        guard let end, end <= now else { return [] }
        return takeAll(time: time)
    }

    /// Ends the window, for nothing more will come.
    mutating func takeAll(time: Date) -> [LogEntry] {
        defer { self = LogLimiter() }
        guard hasLeftOut else { return [] }
        let repeated = lines.compactMap { line, count -> LogEntry? in
            guard var entry = count.last else { return nil }
            let times = count.leftOut == 1 ? "once" : "\(count.leftOut) times"
            entry.message = "\(times) more in the last \(Self.window.text): \(entry.message)"
            return entry
        }
        let cut = origins.compactMap { origin, count -> LogEntry? in
            guard var entry = count.last else { return nil }
            let what = count.leftOut == 1 ? "1 more line" : "\(count.leftOut) more lines"
            entry.message = "\(what) of level \(origin.level.rawValue) in the last \(Self.window.text) left out"
            return entry
        }
        return (repeated + cut).sorted { $0.time < $1.time }
            .map { LogEntry(time: time, level: $0.level, source: $0.source, message: $0.message) }
    }
}
