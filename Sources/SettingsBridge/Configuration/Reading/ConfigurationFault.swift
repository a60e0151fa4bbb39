/// One thing that is wrong with a configuration. It never holds the text of a secret.
public struct ConfigurationFault: Sendable, Equatable, CustomStringConvertible {
    /// The path of the file as it was given, `environment variable NAME`, or the option as in `--server`.
    public var file: String
    /// Counted from 1; `nil` where no place in the file is meant.
    public var line: Int?
    /// Counted from 1 in Unicode scalars.
    public var column: Int?
    /// The key, as in `accessories[0].provider.type`; empty for the file as a whole and for its syntax.
    public var path: String
    /// What is wrong, and what would be right.
    public var message: String

    public init(file: String, line: Int? = nil, column: Int? = nil, path: String = "", message: String) {
        self.file = file
        self.line = line
        self.column = column
        self.path = path
        self.message = message
    }

    /// `settings2mqtt.json:12:5: accessories[0].timeout: …`
    public var description: String {
        let place = [file, line.map(String.init), column.map(String.init)].compactMap(\.self).joined(separator: ":")
        return [place, path, message].filter { !$0.isEmpty }.joined(separator: ": ")
    }
}

/// Everything that is wrong with a configuration.
public struct ConfigurationError: Error, Sendable, Equatable, CustomStringConvertible {
    /// At least one, in the order of the file; those without a line last.
    public let faults: [ConfigurationFault]

    package init(_ faults: [ConfigurationFault]) {
        self.faults = faults.enumerated().sorted { one, other in
            (one.element.line ?? .max, one.element.column ?? .max, one.offset)
                < (other.element.line ?? .max, other.element.column ?? .max, other.offset)
        }.map(\.element)
    }

    /// One line for each fault.
    public var description: String {
        faults.map(\.description).joined(separator: "\n")
    }
}
