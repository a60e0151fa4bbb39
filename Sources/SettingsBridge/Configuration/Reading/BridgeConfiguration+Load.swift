extension BridgeConfiguration {
    /// Reads a configuration file.
    ///
    /// - Parameters:
    ///   - path: the file. Paths in it are relative to its folder.
    ///   - environment: overrides of single keys (`SETTINGS2MQTT_…`), and the variables that secrets are taken from.
    ///   - factories: the providers that exist.
    ///   - accessoriesNeedProvider: whether an accessory without `provider` is a fault.
    /// - Throws: every fault at once.
    public static func load(
        path: String, environment: [String: String], factories: [any ProviderFactory] = [],
        accessoriesNeedProvider: Bool = false
    ) throws(ConfigurationError) -> BridgeConfiguration {
        try parse(
            readConfigurationFile(path), file: path, environment: environment, factories: factories,
            accessoriesNeedProvider: accessoriesNeedProvider
        ).configuration
    }

    /// Reads the bytes of a configuration file.
    ///
    /// - Parameter file: its path, for faults and for the paths in it.
    /// - Returns: the configuration, and what was demanded of each key.
    package static func parse(
        _ bytes: [UInt8], file: String, environment: [String: String] = [:], factories: [any ProviderFactory] = [],
        accessoriesNeedProvider: Bool = false
    ) throws(ConfigurationError) -> (configuration: BridgeConfiguration, rules: [ConfigurationRule]) {
        let report = ConfigurationReport(file: file, environment: environment)
        let root = try report.parse(bytes)
        var configuration = BridgeConfiguration()
        let reader = SectionReader(root, path: "", parentPosition: nil, report: report)
        configuration.read(reader, factories: factories, accessoriesNeedProvider: accessoriesNeedProvider)
        reader.finish()
        guard report.faults.isEmpty else { throw ConfigurationError(report.faults) }
        report.warnOfUnknownVariables()
        configuration.warnings = report.warnings
        return (configuration, report.rules.values.sorted { $0.path < $1.path })
    }

    private mutating func read(
        _ root: SectionReader, factories: [any ProviderFactory], accessoriesNeedProvider: Bool
    ) {
        // Editors find the schema by it.
        _ = root.string("$schema")
        let mqttSection = root.section("mqtt")
        mqtt.read(mqttSection)
        mqttSection.report.broker = mqtt
        let homeAssistantSection = root.section("home_assistant")
        homeAssistant.read(homeAssistantSection)
        if homeAssistant.isEnabled { checkTopics(mqttSection, homeAssistantSection) }
        refreshInterval = root.refreshInterval() ?? refreshInterval
        timeout = root.timeout() ?? timeout
        offlineAfter = root.offlineAfter() ?? offlineAfter
        healthInterval =
            root.duration("health_interval", in: .seconds(1)...DurationLimits.day, allowsZero: true) ?? healthInterval
        log.read(root.section("log"))
        let factories = ProviderFactories(factories, areRequired: accessoriesNeedProvider)
        var identities = AccessoryIdentities()
        for section in root.sections("accessories") {
            guard let accessory = AccessoryConfiguration(reading: section, defaults: self, factories: factories) else {
                continue
            }
            identities.check(accessory, section)
            accessories.append(accessory)
        }
    }

    /// State below the discovery prefix, or the reverse, would be taken for the other.
    private func checkTopics(_ mqttSection: SectionReader, _ homeAssistantSection: SectionReader) {
        guard !mqttSection.isFaulty("base_topic") else { return }
        if !homeAssistantSection.isFaulty("discovery_topic"),
            TopicRules.overlap(mqtt.baseTopic, homeAssistant.discoveryTopic)
        {
            mqttSection.fault(
                "must not be the same as home_assistant.discovery_topic (\(homeAssistant.discoveryTopic)), nor lie "
                    + "below it or above it", at: "base_topic")
        } else if !homeAssistantSection.isFaulty("status_topic"),
            TopicRules.overlap(mqtt.baseTopic, homeAssistant.statusTopic)
        {
            homeAssistantSection.fault(
                "must not be the same as mqtt.base_topic (\(mqtt.baseTopic)), nor lie below it or above it",
                at: "status_topic")
        }
    }
}

extension HomeAssistantSettings {
    fileprivate mutating func read(_ section: SectionReader) {
        isEnabled = section.boolean("enabled") ?? isEnabled
        discoveryTopic = section.topic("discovery_topic") ?? discoveryTopic
        statusTopic = section.topic("status_topic") ?? statusTopic
    }
}

extension LogSettings {
    fileprivate mutating func read(_ section: SectionReader) {
        level = section.word("level", as: LogLevel.self) ?? level
        format = section.word("format", as: LogFormat.self) ?? format
    }
}

/// The bytes of a configuration file. One of more than 4 MiB is refused.
func readConfigurationFile(_ path: String) throws(ConfigurationError) -> [UInt8] {
    do throws(FileProblem) {
        return try readFile(path, limit: 4 << 20)
    } catch {
        throw ConfigurationError([ConfigurationFault(file: path, message: "can't be read: \(error.reason)")])
    }
}

extension ConfigurationReport {
    /// The object that a configuration file holds.
    func parse(_ bytes: [UInt8]) throws(ConfigurationError) -> ConfigurationValue {
        do throws(SyntaxFault) {
            let (root, duplicateKeys) = try JSON5Parser.parse(bytes)
            for repeated in duplicateKeys { fault(repeated.message, path: "", at: repeated.position) }
            if root.isObject { return root }
            fault("the configuration must be an object: { … }, found \(root.kindName)", path: "", at: root.origin)
        } catch {
            fault(error.message, path: "", at: error.position)
        }
        throw ConfigurationError(faults)
    }
}

enum DurationLimits {
    static let day = Duration.seconds(86_400)
    static let week = Duration.seconds(7 * 86_400)
}

/// The keys that stand at the top and, for one accessory, in its section.
extension SectionReader {
    func refreshInterval() -> Duration? {
        duration("refresh_interval", in: .milliseconds(100)...DurationLimits.day, allowsZero: true)
    }

    func timeout() -> Duration? {
        duration("timeout", in: .milliseconds(1)...Duration.seconds(600))
    }

    func offlineAfter() -> Int? {
        integer("offline_after", in: 1...1000)
    }
}
