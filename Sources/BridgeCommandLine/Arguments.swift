import SettingsBridge

/// What the program is asked to do.
enum Command: Equatable, Sendable {
    case run(configuration: String?)
    case check(configuration: String?, topics: Bool, probe: Bool)
    case demo
    /// With the command that help is wanted for.
    case help(Verb?)
    case version

    /// The commands by name.
    enum Verb: String, CaseIterable, Sendable {
        case run, check, demo
    }
}

/// Arguments that don't make sense.
struct UsageError: Error, Equatable {
    /// What is wrong, and what would be right.
    var message: String
    /// The command that was meant, as far as that is known.
    var verb: Command.Verb?
}

extension Command {
    /// Reads the arguments that follow the program's name.
    init(_ arguments: [String]) throws(UsageError) {
        var scanner = ArgumentScanner(arguments)
        guard let first = scanner.next() else {
            throw UsageError(message: "a command is missing: \(Verb.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        if let general = Self(general: first, nil) {
            self = general
            return
        }
        guard let verb = Verb(rawValue: first) else { throw .unknown(first) }
        var options = Options()
        while let argument = scanner.next() {
            if let general = Self(general: argument, verb) {
                self = general
                return
            }
            try options.take(argument, from: &scanner, verb)
        }
        self = Self(verb, options)
    }

    private init(_ verb: Verb, _ options: Options) {
        switch verb {
        case .run: self = .run(configuration: options.configuration)
        case .check:
            self = .check(configuration: options.configuration, topics: options.wantsTopics, probe: options.wantsProbe)
        case .demo: self = .demo
        }
    }

    /// The options that stand everywhere.
    private init?(general argument: String, _ verb: Verb?) {
        switch argument {
        case "-h", "--help": self = .help(verb)
        case "--version": self = .version
        default: return nil
        }
    }
}

/// The options of a command as they are found.
private struct Options {
    var configuration: String?
    var wantsTopics = false
    var wantsProbe = false

    mutating func take(
        _ argument: String, from scanner: inout ArgumentScanner, _ verb: Command.Verb
    ) throws(UsageError) {
        switch (argument, verb) {
        case ("-c", .run), ("--config", .run), ("-c", .check), ("--config", .check):
            guard configuration == nil else {
                throw UsageError(message: "\(argument) is given twice; there is one configuration file", verb: verb)
            }
            guard let path = scanner.value(), !path.isEmpty else {
                throw UsageError(message: "\(argument) needs the path of a configuration file", verb: verb)
            }
            configuration = path
        case ("--topics", .check):
            wantsTopics = true
        case ("--probe", .check):
            wantsProbe = true
        default:
            throw .unknown(argument, for: verb)
        }
        guard !scanner.hasUnusedValue else {
            throw UsageError(message: "\(argument) takes no value", verb: verb)
        }
    }
}

/// Goes through the arguments one by one; `--option=value` is an option with its value.
private struct ArgumentScanner {
    private var arguments: ArraySlice<String>
    private var attachedValue: String?

    init(_ arguments: [String]) {
        self.arguments = arguments[...]
    }

    var hasUnusedValue: Bool { attachedValue != nil }

    mutating func next() -> String? {
        guard let argument = arguments.popFirst() else { return nil }
        guard argument.hasPrefix("--"), let sign = argument.firstIndex(of: "=") else { return argument }
        attachedValue = String(argument[argument.index(after: sign)...])
        return String(argument[..<sign])
    }

    /// The value of the option that was found last. What begins with `-` is an option, not a value.
    mutating func value() -> String? {
        if let attachedValue {
            self.attachedValue = nil
            return attachedValue
        }
        guard let next = arguments.first, !next.hasPrefix("-") else { return nil }
        return arguments.popFirst()
    }
}

extension Command.Verb {
    /// The options that the command knows, for hints.
    fileprivate var options: [String] {
        switch self {
        case .run: ["-c", "--config"]
        case .check: ["-c", "--config", "--topics", "--probe"]
        case .demo: []
        }
    }
}

extension UsageError {
    private static let general = ["--help", "--version"]

    fileprivate static func unknown(_ argument: String, for verb: Command.Verb? = nil) -> UsageError {
        let isOption = argument.hasPrefix("-")
        let verbs = Command.Verb.allCases.map(\.rawValue)
        guard isOption || verb == nil else {
            return UsageError(message: "unexpected argument '\(argument)'", verb: verb)
        }
        let known = isOption ? (verb?.options ?? []) + general : verbs
        let hint: String
        if let near = nearestName(to: argument, among: known) {
            hint = "; did you mean '\(near)'?"
        } else if isOption, verb == nil, Command.Verb.allCases.contains(where: { $0.options.contains(argument) }) {
            hint = "; options stand behind the command"
        } else {
            hint = isOption ? "" : "; the commands are \(verbs.joined(separator: ", "))"
        }
        return UsageError(message: "unknown \(isOption ? "option" : "command") '\(argument)'\(hint)", verb: verb)
    }
}
