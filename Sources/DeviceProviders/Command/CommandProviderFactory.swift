import AccessorySettings
import MQTT
import SettingsBridge

/// Makes devices that commands read and write: `{ "type": "command", "read": { … }, "settings": { … } }`.
struct CommandProviderFactory: ProviderFactory {
    let type = "command"

    func makeSettings(
        from section: SectionReader, accessory: AccessoryConfiguration
    ) -> (@MainActor @Sendable () -> HomeAccessorySettings)? {
        let commands = section.section("read", namesAreFree: true)
        let reads = readCommands(commands)
        let together = section.optionalSection("write_together").flatMap { WriteCommand.read($0, isForSeveral: true) }
        let directory = section.directory("directory")
        let environment = section.environment("environment").mapValues { $0.reveal { $0 } }
        let timeout = section.duration("timeout", in: .milliseconds(10)...Duration.seconds(600))
        let confirmation = Confirmation.read(section)
        let retry = Retry.read(section)
        let writesTogether = section.presentKeys.contains("write_together")
        let settings = readSettings(section) { reader, setting in
            readSetting(setting, reader, reads: reads, names: commands.presentKeys, writesTogether: writesTogether)
        }
        guard !section.hasFaults else { return nil }
        let device = CommandDevice(
            settings: settings.map(\.own), reads: reads, writeTogether: together, directory: directory,
            environment: environment, secrets: KnownSecrets(Array(environment.values)),
            timeout: timeout)
        let context = DeclaredDevice(
            settings: settings.map(\.setting), connection: device, confirmation: confirmation, retry: retry)
        return { HomeAccessorySettings(context: { context }, provider: { DeclaredProvider() }) }
    }

    /// Those without a fault.
    private func readCommands(_ commands: SectionReader) -> [CommandDevice.ReadCommand] {
        commands.presentKeys.compactMap { name in
            let reader = commands.section(name)
            let format = reader.word("output", as: OutputFormat.self) ?? .text
            guard !reader.isFaulty("output") else {
                _ = reader.arguments("command")
                reader.ignoreUnknownKeys()
                return nil
            }
            let separator = format == .keyValue ? reader.string("separator") ?? "=" : ""
            guard let arguments = reader.arguments("command") else { return nil }
            return CommandDevice.ReadCommand(name: name, arguments: arguments, format: format, separator: separator)
        }
    }

    private func readSetting(
        _ setting: DeclaredSetting, _ reader: SectionReader, reads: [CommandDevice.ReadCommand], names: [String],
        writesTogether: Bool
    ) -> CommandDevice.DeclaredCommand {
        let source = reader.optionalSection("read").flatMap { readSource($0, reads, names) }
        let write =
            setting.isSettable
            ? reader.optionalSection("write").flatMap { WriteCommand.read($0, isForSeveral: false) } : nil
        if setting.isSettable, !writesTogether, !reader.presentKeys.contains("write") {
            reader.fault("needs 'write', or the provider 'write_together'")
        }
        if !setting.isSettable, !reader.presentKeys.contains("read") {
            reader.fault("is missing: an information can only be read", at: "read")
        }
        return CommandDevice.DeclaredCommand(setting: setting, source: source, write: write)
    }

    private func readSource(
        _ reader: SectionReader, _ reads: [CommandDevice.ReadCommand], _ names: [String]
    ) -> CommandDevice.Source? {
        guard !names.isEmpty else {
            reader.fault("needs a command under 'read' of the provider")
            for key in reader.presentKeys { _ = reader.deviceValue(key) }
            return nil
        }
        let name = reader.word("from", of: names, required: names.count > 1) ?? names[0]
        guard !reader.isFaulty("from"), let command = reads.first(where: { $0.name == name }) else {
            // What its output looks like, and so which keys belong here, is not known.
            reader.ignoreUnknownKeys()
            return nil
        }
        let part: OutputPart?
        switch command.format {
        case .json: part = reader.pointer("pointer", required: true).map { .pointer($0) }
        case .keyValue: part = reader.string("key", required: true).map { .key($0) }
        case .text:
            part = .text(line: reader.string("line"), after: reader.string("after"), before: reader.string("before"))
        }
        return part.map { CommandDevice.Source(command: name, part: $0) }
    }
}

extension WriteCommand {
    /// Reads `write` of a setting or `write_together`.
    fileprivate static func read(_ reader: SectionReader, isForSeveral: Bool) -> WriteCommand? {
        var command = WriteCommand(arguments: reader.templates("command", required: true), isForSeveral: isForSeveral)
        if isForSeveral {
            command.each = reader.templates("each")
            command.input = reader.word("input", of: ["json"]).map { _ in .json }
        } else {
            let variables = reader.section("environment", namesAreFree: true)
            for name in variables.presentKeys where variables.isVariable(name) {
                command.environment[name] = variables.string(name, required: true).flatMap {
                    variables.template($0, at: name)
                }
            }
            command.input = reader.word("input", as: Input.self)
        }
        guard !reader.hasFaults else { return nil }
        if command.arguments.first?.isLiteral == false {
            reader.fault("must begin with a program, without {{…}}", at: "command")
        }
        if isForSeveral, !command.arguments.allSatisfy(\.isLiteral) {
            reader.fault("must not hold {{…}}; what is said of each setting belongs to 'each'", at: "command")
        }
        let templates = command.arguments + command.each + command.environment.values
        if command.input == nil, !templates.contains(where: \.usesValue) {
            let places = isForSeveral ? "'each' or 'input'" : "{{value}} in an argument or in 'environment', or 'input'"
            reader.fault("does not pass on the value; it needs \(places)")
        }
        return command
    }
}

extension SectionReader {
    fileprivate func templates(_ key: String, required: Bool = false) -> [ArgumentTemplate] {
        (required ? arguments(key) : strings(key) ?? [])?.compactMap { template($0, at: key) } ?? []
    }

    fileprivate func template(_ text: String, at key: String) -> ArgumentTemplate? {
        do throws(TemplateFault) {
            return try ArgumentTemplate(text)
        } catch {
            fault(error.message, at: key)
            return nil
        }
    }
}
