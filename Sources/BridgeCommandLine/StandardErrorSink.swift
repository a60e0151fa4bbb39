import Foundation
import SettingsBridge

/// Writes the log to standard error, one line for each entry.
struct StandardErrorSink: LogSink {
    private let format: LogFormat

    init(_ format: LogFormat) {
        self.format = format
    }

    func write(_ entry: LogEntry) {
        StandardStream.error.write(Self.line(entry, format) + "\n")
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
