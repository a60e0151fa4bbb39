import Synchronization

/// What is logged while the bridge runs: as configured, or as somebody asked for meanwhile.
public final class LogControl: Sendable {
    private struct State {
        var settings: LogSettings
        var requested: LogLevel?
    }

    private let state: Mutex<State>

    public init(_ settings: LogSettings) {
        state = Mutex(State(settings: settings))
    }

    public var format: LogFormat { state.withLock { $0.settings.format } }

    /// The least that is written.
    public var level: LogLevel { state.withLock { $0.requested ?? $0.settings.level } }

    /// The least that is published on `bridge/log`.
    var publishedLevel: LogLevel { state.withLock { $0.requested ?? .warning } }

    /// Asks for a level until the configuration is read again.
    func request(_ level: LogLevel) {
        state.withLock { $0.requested = level }
    }

    /// Takes what a configuration says.
    func apply(_ settings: LogSettings) {
        state.withLock { $0 = State(settings: settings) }
    }
}
