/// A value of the `mqtt` section that is given on the command line.
package struct MQTTOption: Sendable {
    /// The key in the section.
    package enum Key: String, Sendable {
        case server, user, ca
        case baseTopic = "base_topic"
        /// The value is the path of a file that holds it.
        case password
    }

    package var key: Key
    package var value: String
    /// As people write the option, for faults: `--server`.
    package var name: String

    package init(_ key: Key, _ value: String, name: String) {
        self.key = key
        self.value = value
        self.name = name
    }

    fileprivate var configurationValue: ConfigurationValue {
        let origin = ConfigurationValue.Origin.option(name)
        let text = ConfigurationValue(.string(value), origin: origin)
        guard key == .password else { return text }
        let member = ConfigurationValue.Member(
            key: "file", keyPosition: ConfigurationPosition(line: 1, column: 1), value: text)
        return ConfigurationValue(.object([member]), origin: origin)
    }
}

extension MQTTSettings {
    /// Reads the `mqtt` section of a configuration file and nothing else: who only talks to the broker needs no secret of a
    /// device, nor may they be able to read one.
    ///
    /// - Parameters:
    ///   - path: the file; without one everything comes from the environment and the options.
    ///   - environment: as for the whole configuration.
    ///   - options: what they give comes before the file and the environment. Relative paths in them start at the folder of
    ///     the file, if there is one.
    /// - Throws: every fault of the section, of the environment and of the options at once.
    package static func load(
        path: String?, environment: [String: String], options: [MQTTOption] = []
    ) throws(ConfigurationError) -> MQTTSettings {
        let values = options.map { ("mqtt." + $0.key.rawValue, $0.configurationValue) }
        let report = ConfigurationReport(
            file: path ?? "", environment: environment, options: Dictionary(values) { $1 })
        var root: ConfigurationValue?
        if let path { root = try report.parse(readConfigurationFile(path)) }
        let section = SectionReader(root, path: "", parentPosition: nil, report: report).section("mqtt")
        var settings = MQTTSettings()
        settings.read(section)
        section.finish()
        guard report.faults.isEmpty else { throw ConfigurationError(report.faults) }
        return settings
    }
}
