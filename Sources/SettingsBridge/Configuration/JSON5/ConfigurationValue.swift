/// A place in the configuration file.
public struct ConfigurationPosition: Sendable, Hashable, Comparable {
    /// Counted from 1.
    public var line: Int
    /// Counted from 1 in Unicode scalars, so that a tab is one.
    public var column: Int

    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    public static func < (one: ConfigurationPosition, other: ConfigurationPosition) -> Bool {
        (one.line, one.column) < (other.line, other.column)
    }
}

/// A value of the configuration, and where it came from.
public struct ConfigurationValue: Sendable {
    public enum Content: Sendable, Equatable {
        case null
        case boolean(Bool)
        /// May be infinite or not a number: JSON5 can write both.
        case number(Double)
        case string(String)
        case array([ConfigurationValue])
        /// In the order of the file. A key that stands there twice is a fault; the first one stays.
        case object([Member])
    }

    public enum Origin: Sendable, Hashable {
        case file(ConfigurationPosition)
        /// The environment variable with this name.
        case variable(String)
        /// The option of the command line with this name.
        case option(String)
    }

    public struct Member: Sendable, Equatable {
        public var key: String
        public var keyPosition: ConfigurationPosition
        public var value: ConfigurationValue

        public static func == (one: Member, other: Member) -> Bool {
            one.key == other.key && one.value == other.value
        }
    }

    public var content: Content
    public var origin: Origin

    public init(_ content: Content, origin: Origin) {
        self.content = content
        self.origin = origin
    }

    /// What a fault calls the value; never its text, which may be a secret.
    var kindName: String {
        switch content {
        case .null: "null"
        case .boolean: "true or false"
        case .number: "a number"
        case .string: "a string"
        case .array: "a list"
        case .object: "an object"
        }
    }
}

/// Equal are values with the same content, wherever they stand: a section that only moved has not changed.
extension ConfigurationValue: Equatable {
    public static func == (one: ConfigurationValue, other: ConfigurationValue) -> Bool {
        one.content == other.content
    }
}

/// Any text may be a secret, so that none is printed.
extension ConfigurationValue: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { kindName }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
