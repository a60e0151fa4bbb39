public import Foundation

/// One line of the log.
public struct LogEntry: Sendable {
    public var time: Date
    public var level: LogLevel
    /// What it is about: `bridge`, `mqtt`, `provider`, or an accessory's identifier.
    public var source: String
    public var message: String
    /// Whether it tells people one of many things to mend, of which none may be left out.
    public var isItem = false
}

/// Where log lines go.
public protocol LogSink: Sendable {
    /// Called from any thread; must be quick.
    func write(_ entry: LogEntry)
}

/// Hands log lines of sufficient level to its sinks.
public struct Log: Sendable {
    /// The log of the bridge for which providers are being made. They keep it for what happens between two calls; where no
    /// bridge runs it goes nowhere.
    @TaskLocal package static var ofProviders = Log([])

    /// What is in force for the sink that the log was made with.
    public let control: LogControl
    private let sinks: [(minimum: @Sendable () -> LogLevel, sink: any LogSink)]

    /// - Parameter control: decides what the sink gets.
    public init(_ sink: any LogSink, _ control: LogControl) {
        let minimum = { @Sendable in control.level }
        self.init(control, [(minimum, sink)])
    }

    /// A log whose sinks get what they get, whatever is configured.
    public init(_ sinks: [(minimum: LogLevel, sink: any LogSink)]) {
        let sinks = sinks.map { entry -> (minimum: @Sendable () -> LogLevel, sink: any LogSink) in
            let minimum = entry.minimum
            return ({ minimum }, entry.sink)
        }
        self.init(LogControl(LogSettings()), sinks)
    }

    private init(_ control: LogControl, _ sinks: [(minimum: @Sendable () -> LogLevel, sink: any LogSink)]) {
        self.control = control
        self.sinks = sinks
    }

    /// The same log with one more sink.
    ///
    /// - Parameter minimum: the least that the sink gets.
    func adding(_ sink: any LogSink, from minimum: @escaping @Sendable () -> LogLevel) -> Log {
        Log(control, sinks + [(minimum, sink)])
    }

    public func debug(_ source: String, _ message: @autoclosure () -> String) { write(.debug, source, message) }
    public func info(_ source: String, _ message: @autoclosure () -> String) { write(.info, source, message) }
    public func warning(_ source: String, _ message: @autoclosure () -> String) { write(.warning, source, message) }
    public func error(_ source: String, _ message: @autoclosure () -> String) { write(.error, source, message) }

    /// - Parameter isItem: see ``LogEntry/isItem``.
    public func write(_ level: LogLevel, _ source: String, isItem: Bool = false, _ message: () -> String) {
        let wanting = sinks.filter { level >= $0.minimum() }
        guard !wanting.isEmpty else { return }
        let entry = LogEntry(time: Date(), level: level, source: source, message: message(), isItem: isItem)
        for (_, sink) in wanting { sink.write(entry) }
    }
}
