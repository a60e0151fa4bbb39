/// What is logged, and how it looks.
public struct LogSettings: Sendable, Equatable {
    /// The least that is written.
    public var level = LogLevel.info
    public var format = LogFormat.text

    public init() {}
}

public enum LogLevel: String, Sendable, CaseIterable, Comparable {
    case debug, info, warning, error

    public static func < (one: LogLevel, other: LogLevel) -> Bool {
        one.rank < other.rank
    }

    private var rank: Int {
        switch self {
        case .debug: 0
        case .info: 1
        case .warning: 2
        case .error: 3
        }
    }
}

public enum LogFormat: String, Sendable, CaseIterable {
    case text, json
}
