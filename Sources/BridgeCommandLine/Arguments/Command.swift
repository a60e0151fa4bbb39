/// What the program is asked to do.
enum Command: Equatable, Sendable {
    case run(configuration: String?)
    case check(configuration: String?, topics: Bool, probe: Bool)
    case demo
    /// What is asked of a running bridge.
    case client(ClientCommand, ClientOptions)
    /// With the command that help is wanted for.
    case help(Verb?)
    case version

    /// The commands by name.
    enum Verb: String, CaseIterable, Sendable {
        case run, check, demo
        case list, get, set, watch, healthcheck
    }
}

/// What is asked of a running bridge.
enum ClientCommand: Equatable, Sendable {
    case list(accessory: String?)
    case get(accessory: String, setting: String?)
    case set(accessory: String, [SettingChange])
    case watch(accessory: String?, setting: String?)
    case healthcheck
}

/// A new value for a setting, as it was typed.
struct SettingChange: Equatable, Sendable {
    var setting: String
    var value: String
}

/// How to find the bridge, and what its answers should look like.
struct ClientOptions: Equatable, Sendable {
    /// The path of the configuration file.
    var configuration: String?
    /// What comes before the configuration, by option.
    var broker: [Option: String] = [:]
    var isJSON = false
    /// How long to wait for the bridge.
    var timeout: Duration
}

extension Command {
    /// Reads the arguments that follow the program's name.
    init(_ arguments: [String]) throws(UsageError) {
        guard let first = arguments.first else {
            throw UsageError(message: "a command is missing: \(Verb.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        if let general = Self(general: first, nil) {
            self = general
            return
        }
        guard let verb = Verb(rawValue: first) else { throw .unknownCommand(first) }
        let found: FoundArguments
        switch try ArgumentReader(verb, arguments.dropFirst()).read() {
        case .general(let command):
            self = command
            return
        case .arguments(let arguments): found = arguments
        }
        try self.init(verb, found)
    }

    private init(_ verb: Verb, _ found: FoundArguments) throws(UsageError) {
        let configuration = found.options[.configuration]
        switch verb {
        case .run:
            try found.expect(0...0, for: verb)
            self = .run(configuration: configuration)
        case .check:
            try found.expect(0...0, for: verb)
            self = .check(
                configuration: configuration, topics: found.options[.topics] != nil, probe: found.options[.probe] != nil
            )
        case .demo:
            try found.expect(0...0, for: verb)
            self = .demo
        case .list, .get, .set, .watch, .healthcheck:
            self = .client(try ClientCommand(verb, found), try ClientOptions(verb, found.options))
        }
    }

    /// The options that stand everywhere.
    init?(general argument: String, _ verb: Verb?) {
        switch argument {
        case "-h", "--help": self = .help(verb)
        case "--version": self = .version
        default: return nil
        }
    }
}
