/// What stands behind a command.
struct FoundArguments {
    /// The options with their values; those without one have an empty one.
    var options: [Option: String] = [:]
    /// What is no option, in order.
    var positional: [String] = []
}

/// Tells options from what a command is about.
///
/// What begins with `-` is an option, up to `--`, which ends the options. Behind the accessory of `set` only the long
/// options that the command knows are options, so that any other word there, such as `-12`, is a value.
struct ArgumentReader {
    enum Result {
        case arguments(FoundArguments)
        /// Help or the version is wanted, whatever else there is.
        case general(Command)
    }

    private let verb: Command.Verb
    private var rest: ArraySlice<String>
    private var found = FoundArguments()

    init(_ verb: Command.Verb, _ arguments: ArraySlice<String>) {
        self.verb = verb
        rest = arguments
    }

    consuming func read() throws(UsageError) -> Result {
        while let argument = rest.popFirst() {
            if argument == "--" {
                found.positional += rest
                break
            }
            if isValue(argument) {
                found.positional.append(argument)
            } else if let general = Command(general: argument, verb) {
                return .general(general)
            } else {
                try takeOption(argument)
            }
        }
        return .arguments(found)
    }

    private func isValue(_ argument: String) -> Bool {
        guard argument.hasPrefix("-"), argument != "-" else { return true }
        guard verb == .set, !found.positional.isEmpty else { return false }
        let (name, _) = Self.split(argument)
        return !["--help", "--version"].contains(argument) && !verb.options.contains { $0.rawValue == name }
    }

    private mutating func takeOption(_ argument: String) throws(UsageError) {
        let (name, attached) = Self.split(argument)
        guard let option = Option(name), verb.options.contains(option) else {
            throw .unknownOption(name, for: verb)
        }
        guard let wanted = option.value else {
            guard attached == nil else { throw UsageError(message: "\(name) takes no value", verb: verb) }
            found.options[option] = ""
            return
        }
        guard found.options[option] == nil else {
            throw UsageError(message: "\(name) is given twice", verb: verb)
        }
        guard let value = attached ?? nextValue(), !value.isEmpty else {
            throw UsageError(message: "\(name) needs \(wanted)", verb: verb)
        }
        found.options[option] = value
    }

    /// What begins with `-` is an option, not a value.
    private mutating func nextValue() -> String? {
        guard let next = rest.first, !next.hasPrefix("-") else { return nil }
        return rest.popFirst()
    }

    /// `--option=value` is an option with its value.
    private static func split(_ argument: String) -> (name: String, value: String?) {
        guard argument.hasPrefix("--"), let sign = argument.firstIndex(of: "=") else { return (argument, nil) }
        return (String(argument[..<sign]), String(argument[argument.index(after: sign)...]))
    }
}

extension FoundArguments {
    /// Refuses more or fewer arguments than the command takes.
    ///
    /// - Parameter missing: what to say when there are too few.
    func expect(_ count: ClosedRange<Int>, for verb: Command.Verb, missing: String = "") throws(UsageError) {
        guard positional.count >= count.lowerBound else { throw UsageError(message: missing, verb: verb) }
        if positional.count > count.upperBound {
            throw .unexpectedArgument(positional[count.upperBound], for: verb)
        }
        if positional.contains("") {
            throw UsageError(message: "an argument is empty: neither an accessory nor a setting is", verb: verb)
        }
    }
}
