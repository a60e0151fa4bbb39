import SettingsBridge

extension CommandLineTool {
    /// Asks the running bridge for something and prints what it says.
    func talk(_ command: ClientCommand, _ options: ClientOptions) async throws -> ExitCode {
        let address = try BridgeAddress(options, for: command.verb)
        if case .watch(let accessory, let setting) = command {
            return try await watch(accessory, setting, at: address, isJSON: options.isJSON)
        }
        let answer = try await BridgeConnection(address, timeout: options.timeout).ask(command.request) {
            command.write(to: &$0)
        }
        guard answer.status == .ok else { throw answer.failure(of: command) }
        if options.isJSON {
            StandardStream.output.write(String(decoding: answer.data, as: UTF8.self).escapedJSON + "\n")
            return .done
        }
        return try show(answer.data, of: command, at: address)
    }

    private func show(_ data: [UInt8], of command: ClientCommand, at address: BridgeAddress) throws -> ExitCode {
        switch command {
        case .list: StandardStream.output.write(SettingsTable(AccessoryListing.all(data)).text)
        case .get(let accessory, let setting?):
            guard let value = AnsweredValues(data).values.first(where: { $0.setting == setting })?.value else {
                throw CommandFailure(description: "\(accessory.onOneLine): \(setting.onOneLine) can't be read")
            }
            StandardStream.output.write(value.onOneLine + "\n")
        case .get(_, nil):
            var table = TextTable()
            for (setting, value) in AnsweredValues(data).values { table.add([setting, value ?? "(unreadable)"]) }
            StandardStream.output.write(table.text)
        case .set(let accessory, _):
            for (setting, value) in AnsweredValues(data).values {
                let words = [accessory, setting, value ?? "(can't be read back)"]
                StandardStream.output.write(words.map(\.onOneLine).joined(separator: " ") + "\n")
            }
        case .healthcheck:
            let health = HealthAnswer(data)
            StandardStream.output.write(health.line(address) + "\n")
            return health.isHealthy ? .done : .failed
        case .watch: break
        }
        return .done
    }
}

extension ClientCommand {
    fileprivate var verb: Command.Verb {
        switch self {
        case .list: .list
        case .get: .get
        case .set: .set
        case .watch: .watch
        case .healthcheck: .healthcheck
        }
    }

    /// What `bridge/request/` ends in.
    fileprivate var request: String {
        self == .healthcheck ? "health_check" : verb.rawValue
    }

    /// Writes the parameters of the request.
    fileprivate func write(to json: inout JSONWriter) {
        switch self {
        case .list(let accessory): json.field("accessory", accessory)
        case .get(let accessory, let setting):
            json.field("accessory", accessory)
            json.field("setting", setting)
        case .set(let accessory, let changes):
            json.field("accessory", accessory)
            json.key("changes")
            json.object {
                for change in changes { $0.field(change.setting, change.value) }
            }
        case .watch, .healthcheck: break
        }
    }
}

extension BridgeAnswer {
    fileprivate func failure(of command: ClientCommand) -> CommandFailure {
        if status == .superseded, case .set(let accessory, _) = command {
            return CommandFailure(
                description: "\(accessory.onOneLine): superseded: a newer change came before this one was written")
        }
        return CommandFailure(description: (problem ?? "the bridge refuses, and does not say why").onOneLine)
    }
}

/// What `healthcheck` prints.
struct HealthAnswer {
    let isHealthy: Bool
    /// `nil` when the answer does not tell.
    private let accessories: (online: Int, all: Int)?

    /// What the broker does not allow the bridge.
    private let problems: [String]

    init(_ data: [UInt8]) {
        let document = try? JSONValue.parse(data)
        isHealthy = document?["healthy"] == .bool(true)
        problems = document?["problems"]?.elements.compactMap(\.text) ?? []
        if case .object(let members)? = document?["accessories"] {
            accessories = (members.values.count { $0["online"] == .bool(true) }, members.count)
        } else {
            accessories = nil
        }
    }

    func line(_ address: BridgeAddress) -> String {
        let count = accessories.map { "; \($0.online) of \($0.all) accessories online" } ?? ""
        return "\(isHealthy ? "online" : "not healthy"): \(address.topics.base) at \(address.server)\(count)"
            + problems.map { "; " + $0 }.joined()
    }
}

extension SettingsTable {
    init(_ accessories: [AccessoryListing]) {
        self.init()
        for accessory in accessories {
            add(accessory.settings, of: accessory.id, isOnline: accessory.isOnline)
            if accessory.settings.isEmpty {
                add(problem: accessory.isOnline ? "has no settings" : "offline", of: accessory.id)
            }
        }
    }
}

extension String {
    /// JSON with the control characters escaped that JSON itself lets stand in strings.
    var escapedJSON: String {
        guard unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { return self }
        return unicodeScalars.map { scalar in
            guard scalar.properties.generalCategory == .control else { return String(scalar) }
            let digits = String(scalar.value, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }
}
