/// A text that never shows up in a log, an error or a dump: only `reveal` gives it out.
public struct Secret: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let value: String

    public init(_ value: String) {
        self.value = value
    }

    public func reveal<R, Failure: Error>(_ body: (String) throws(Failure) -> R) throws(Failure) -> R {
        try body(value)
    }

    public var description: String { "<secret>" }
    public var debugDescription: String { description }
    /// Hides the value from `dump` and from the descriptions of types that hold a secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
