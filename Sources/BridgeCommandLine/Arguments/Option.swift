import SettingsBridge

/// The options of the commands.
enum Option: String, CaseIterable, Sendable {
    case configuration = "--config"
    case topics = "--topics"
    case probe = "--probe"
    case json = "--json"
    case timeout = "--timeout"
    case server = "--server"
    case baseTopic = "--base-topic"
    case user = "--user"
    case passwordFile = "--password-file"
    case authorities = "--ca"

    /// By its long name, or its short one where it has one.
    init?(_ argument: String) {
        self.init(rawValue: argument == "-c" ? "--config" : argument)
    }

    /// What its value is; `nil` for one without a value.
    var value: String? {
        switch self {
        case .configuration: "the path of a configuration file"
        case .timeout: "a time, such as 5s or 1m"
        case .server: "the broker's address, such as mqtt://localhost:1883"
        case .baseTopic: "the base topic of the bridge"
        case .user: "a user name"
        case .passwordFile: "the path of a file that holds the password"
        case .authorities: "the path of a file with certificates to trust"
        case .topics, .probe, .json: nil
        }
    }

    /// The key of the configuration that it stands for.
    var key: MQTTOption.Key? {
        switch self {
        case .server: .server
        case .baseTopic: .baseTopic
        case .user: .user
        case .passwordFile: .password
        case .authorities: .ca
        case .configuration, .topics, .probe, .json, .timeout: nil
        }
    }
}

extension Command.Verb {
    /// The options that the command knows.
    var options: [Option] {
        let broker: [Option] = [.configuration, .server, .baseTopic, .user, .passwordFile, .authorities]
        return switch self {
        case .run: [.configuration]
        case .check: [.configuration, .topics, .probe]
        case .demo: []
        case .list, .get, .set: broker + [.json, .timeout]
        case .watch: broker + [.json]
        case .healthcheck: broker + [.timeout]
        }
    }
}
