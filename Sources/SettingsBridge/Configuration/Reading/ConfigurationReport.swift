/// What the readers of one configuration share: where values may come from, and what was found wrong.
///
/// It is made, filled and emptied within one call of ``BridgeConfiguration/load(path:environment:factories:accessoriesNeedProvider:)``.
final class ConfigurationReport {
    /// The path of the file as it was given.
    let file: String
    let environment: [String: String]
    /// Values given on the command line, by path. They come before the environment.
    private let options: [String: ConfigurationValue]
    /// The bridge's own broker, once that part is read; it comes first.
    var broker = MQTTSettings()
    private(set) var faults: [ConfigurationFault] = []
    private(set) var warnings: [String] = []
    /// What was asked for, by path (`accessories[].id`): the keys that exist.
    private(set) var rules: [String: ConfigurationRule] = [:]
    /// Variables that override a key, whether they are set or not.
    private var overrides: Set<String> = []
    /// Variables that a secret was taken from, whether they are set or not.
    private var secretVariables: Set<String> = []

    init(file: String, environment: [String: String], options: [String: ConfigurationValue] = [:]) {
        self.file = file
        self.environment = environment
        self.options = options
    }

    func fault(_ message: String, path: String, at origin: ConfigurationValue.Origin) {
        switch origin {
        case .file(let position): fault(message, path: path, at: position)
        case .variable(let name):
            faults.append(ConfigurationFault(file: "environment variable \(name)", path: path, message: message))
        case .option(let name): faults.append(ConfigurationFault(file: name, message: message))
        }
    }

    func fault(_ message: String, path: String, at position: ConfigurationPosition?) {
        faults.append(
            ConfigurationFault(
                file: file, line: position?.line, column: position?.column, path: path, message: message))
    }

    func warn(_ warning: String) {
        warnings.append(warning)
    }

    func record(_ rule: ConfigurationRule) {
        rules[rule.path] = rule
    }

    /// What the command line or the environment puts in the place of the key, `nil` when they say nothing.
    ///
    /// An empty variable says nothing: compose files pass on variables that are not set that way.
    func override(of path: String) -> ConfigurationValue? {
        guard !path.contains("[") else { return nil }
        let name = EnvironmentOverrides.variable(for: path)
        overrides.insert(name)
        if let option = options[path] { return option }
        guard let text = environment[name], !text.isEmpty else { return nil }
        return ConfigurationValue(.string(text), origin: .variable(name))
    }

    func secretVariable(_ name: String) -> String? {
        secretVariables.insert(name)
        SecretVariables.insert(name)
        return environment[name]
    }

    /// Warns of variables that look like an override and are none.
    func warnOfUnknownVariables() {
        for name in environment.keys.sorted()
        where name.hasPrefix(EnvironmentOverrides.prefix) && !overrides.contains(name)
            && !secretVariables.contains(name)
        {
            let keys = overrides.sorted().map { String($0.dropFirst(EnvironmentOverrides.prefix.count)) }
            let near = nearestName(to: String(name.dropFirst(EnvironmentOverrides.prefix.count)), among: keys)
            let hint = near.map { "; did you mean \(EnvironmentOverrides.prefix)\($0)?" } ?? ""
            warn("environment variable \(name) is ignored: it overrides no key\(hint)")
        }
    }
}

/// How a key of the configuration is overridden from the environment.
enum EnvironmentOverrides {
    static let prefix = "SETTINGS2MQTT_"

    /// `mqtt.client_id` is overridden by `SETTINGS2MQTT_MQTT_CLIENT_ID`.
    static func variable(for path: String) -> String {
        prefix + path.replacing(".", with: "_").uppercased()
    }
}
