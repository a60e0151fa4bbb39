import AccessorySettings
import SettingsBridge

/// A device that commands read and write.
struct CommandDevice: DeviceConnection {
    /// A command that reads, run once for each reading.
    struct ReadCommand: Sendable {
        var name: String
        var arguments: [String]
        var format: OutputFormat
        /// Between key and value.
        var separator: String
    }

    /// Where the value of a setting comes from.
    struct Source: Sendable {
        /// The name of a command that reads.
        var command: String
        var part: OutputPart
    }

    struct DeclaredCommand: Sendable {
        var setting: DeclaredSetting
        /// `nil` where it can't be read.
        var source: Source?
        /// `nil` where it is written with the others, or not at all.
        var write: WriteCommand?
    }

    var settings: [DeclaredCommand]
    var reads: [ReadCommand]
    /// For all settings that have no command of their own.
    var writeTogether: WriteCommand?
    var directory: String?
    var environment: [String: String]
    /// What no error may hold.
    var secrets: KnownSecrets
    var timeout: Duration?

    @concurrent func read() async throws -> [String: JSONValue] {
        // At the same time: they don't depend on each other, and the reading takes as long as the slowest.
        let outputs = try await withThrowingTaskGroup(of: (String, ParsedOutput).self) { group in
            for command in reads { group.addTask { (command.name, try await self.output(of: command)) } }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        var values: [String: JSONValue] = [:]
        for declared in settings {
            guard let source = declared.source, let output = outputs[source.command] else { continue }
            do throws(DeviceError) {
                values[declared.setting.id] = try declared.setting.checked(
                    try output.value(source.part), hiding: secrets.redaction)
            } catch {
                throw DeviceError("reading \(declared.setting.id) with command '\(source.command)': \(error)")
            }
        }
        return values
    }

    private func output(of command: ReadCommand) async throws -> ParsedOutput {
        do {
            let bytes = try await launch(command.arguments).run(timeout: timeout, hiding: secrets)
            return try ParsedOutput(
                bytes, as: command.format, separator: command.separator, hiding: secrets.redaction)
        } catch let error as DeviceError {
            throw DeviceError("reading with command '\(command.name)': \(error)", mayPass: error.mayPass)
        }
    }

    /// Writes one after the other. A failure does not keep the others from being written: they may be somebody else's.
    @concurrent func write(_ changes: [DeviceChange]) async throws -> [String: DeviceError] {
        var failures: [String: DeviceError] = [:]
        var together: [DeviceChange] = []
        for change in changes {
            guard let declared = settings.first(where: { $0.setting.id == change.setting }) else { continue }
            if let command = declared.write {
                failures.merge(try await write([change], with: command)) { $1 }
            } else {
                together.append(change)
            }
        }
        if let writeTogether, !together.isEmpty {
            failures.merge(try await write(together, with: writeTogether)) { $1 }
        }
        return failures
    }

    private func write(
        _ changes: [DeviceChange], with command: WriteCommand
    ) async throws -> [String: DeviceError] {
        let names = changes.map(\.setting).joined(separator: ", ")
        do {
            let run = try command.invocation(for: changes, of: settings.map(\.setting))
            secrets.add(changes, of: settings.map(\.setting))
            _ = try await launch(run.arguments, run.environment).run(
                input: run.input, timeout: timeout, hiding: secrets)
            return [:]
        } catch let error as DeviceError {
            let failure = DeviceError("writing \(names): \(error)", mayPass: error.mayPass)
            return Dictionary(changes.map { ($0.setting, failure) }) { first, _ in first }
        }
    }

    private func launch(_ arguments: [String], _ variables: [String: String] = [:]) -> Launch {
        Launch(
            arguments: arguments, environment: environment.merging(variables) { $1 }, directory: directory)
    }
}

extension DeclaredSetting {
    /// - Parameter secrets: what the sentence may not hold.
    /// - Throws: unless the device's value is one of the setting's kind, or `null`.
    func checked(_ value: JSONValue, hiding secrets: Redaction) throws(DeviceError) -> JSONValue {
        guard value == .null || isSecret || mapping.value(value, of: self) != nil else {
            let found = value.text.map { "'\(secrets.excerpt($0, limit: 40))'" } ?? "a list or an object"
            throw DeviceError("\(found) is no value of \(kindName)")
        }
        return value
    }

    private var kindName: String {
        switch descriptor.kind {
        case .toggle: "a toggle"
        case .range: "a range"
        case .enumeration: "an enumeration"
        case .text: "a text"
        case .information(unit: .some): "an information with a unit"
        case .information: "an information"
        }
    }
}
