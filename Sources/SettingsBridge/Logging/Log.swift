public import Foundation

/// One line of the log.
public struct LogEntry: Sendable {
    public var time: Date
    public var level: LogLevel
    /// What it is about: `bridge`, `mqtt`, `provider`, or an accessory's identifier.
    public var source: String
    public var message: String
}

/// Where log lines go.
public protocol LogSink: Sendable {
    /// Called from any thread; must be quick.
    func write(_ entry: LogEntry)
}

/// Hands log lines of sufficient level to its sinks.
public struct Log: Sendable {
    private let sinks: [(minimum: LogLevel, sink: any LogSink)]

    public init(_ sinks: [(minimum: LogLevel, sink: any LogSink)]) {
        self.sinks = sinks
    }

    /// The same log with one more sink.
    public func adding(_ sink: any LogSink, from minimum: LogLevel) -> Log {
        Log(sinks + [(minimum, sink)])
    }

    public func debug(_ source: String, _ message: @autoclosure () -> String) { write(.debug, source, message) }
    public func info(_ source: String, _ message: @autoclosure () -> String) { write(.info, source, message) }
    public func warning(_ source: String, _ message: @autoclosure () -> String) { write(.warning, source, message) }
    public func error(_ source: String, _ message: @autoclosure () -> String) { write(.error, source, message) }

    public func write(_ level: LogLevel, _ source: String, _ message: () -> String) {
        guard sinks.contains(where: { level >= $0.minimum }) else { return }
        let entry = LogEntry(time: Date(), level: level, source: source, message: message())
        for (minimum, sink) in sinks where level >= minimum { sink.write(entry) }
    }
}
