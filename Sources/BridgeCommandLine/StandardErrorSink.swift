import Dispatch
import Foundation
import SettingsBridge
import Synchronization

/// Writes the log to standard error, one line for each entry.
///
/// On a queue of its own: a reader that takes nothing more must not hold up who has something to say, which may be the
/// network thread. At most ``backlogLimit`` lines wait; those beyond are dropped, and the next line says how many.
struct StandardErrorSink: LogSink {
    private static let backlogLimit = 10_000
    private static let queue = DispatchQueue(label: "log")
    private static let backlog = Mutex((waiting: 0, dropped: 0))

    private let format: @Sendable () -> LogFormat

    /// - Parameter format: how lines look at the moment.
    init(_ format: @escaping @Sendable () -> LogFormat) {
        self.format = format
    }

    func write(_ entry: LogEntry) {
        let dropped = Self.backlog.withLock { backlog -> Int? in
            guard backlog.waiting < Self.backlogLimit else {
                backlog.dropped += 1
                return nil
            }
            backlog.waiting += 1
            defer { backlog.dropped = 0 }
            return backlog.dropped
        }
        guard let dropped else { return }
        Self.queue.async { [format] in
            if dropped > 0 { StandardStream.error.write("(\(dropped) lines of the log were dropped)\n") }
            StandardStream.error.write(Self.line(entry, format()) + "\n")
            Self.backlog.withLock { $0.waiting -= 1 }
        }
    }

    /// Waits until what was logged is written, for a fifth of a second at most.
    static func flush() {
        let isWritten = DispatchSemaphore(value: 0)
        queue.async { isWritten.signal() }
        _ = isWritten.wait(timeout: .now() + .milliseconds(200))
    }

    /// `2026-11-30T02:24:50.123Z INFO  hallway: message`, or the same as a JSON object. Times are UTC.
    static func line(_ entry: LogEntry, _ format: LogFormat) -> String {
        switch format {
        case .json: return String(decoding: entry.json, as: UTF8.self)
        case .text:
            let time = entry.time.formatted(LogEntry.timeFormat)
            return "\(time) \(name(of: entry.level)) \(entry.source.onOneLine): \(entry.message.onOneLine)"
        }
    }

    private static func name(of level: LogLevel) -> String {
        switch level {
        case .debug: "DEBUG"
        case .info: "INFO "
        case .warning: "WARN "
        case .error: "ERROR"
        }
    }
}
