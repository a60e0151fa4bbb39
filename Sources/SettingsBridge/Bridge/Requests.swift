import MQTT

/// Answers `bridge/request/<verb>`.
struct Requests: Sendable {
    /// What the bridge can be asked for.
    enum Verb: String, CaseIterable, Sendable {
        /// Reads one accessory (`{"accessory": "hallway"}`) or all of them again.
        case refresh

        var parameters: [String] {
            switch self {
            case .refresh: ["accessory"]
            }
        }
    }

    let sessions: [String: AccessorySession]
    let output: BridgeOutput

    func handle(_ name: String, _ message: MQTTMessage, _ sender: Sender) {
        var sender = sender
        var status = ResponseStatus.ok
        do throws(Refusal) {
            sender.transaction = SetPayload.transaction(in: message.payload)
            let members = try parameters(of: message)
            guard let verb = Verb(rawValue: name) else {
                let known = Verb.allCases.map(\.rawValue).joined(separator: ", ")
                throw Refusal(.unknownRequest, "there is no request '\(name.prefix(40))'; known: \(known)")
            }
            if let unknown = members.keys.sorted().first(where: { $0 != "transaction" && !verb.parameters.contains($0) }
            ) {
                throw Refusal(
                    .invalidPayload,
                    "\(name) knows no '\(unknown.prefix(40))'; it takes \(verb.parameters.joined(separator: ", "))")
            }
            switch verb {
            case .refresh: try refresh(members["accessory"])
            }
        } catch {
            output.log.warning("bridge", "request refused: \(error.message)")
            status = .error(message: error.message, [error])
        }
        // An unknown verb is answered under its own name only where that is a topic level of ordinary length.
        output.respond(
            to: sender, verb: String(name.prefix(64)), ResponseStatus.json(status, transaction: sender.transaction))
    }

    private func parameters(of message: MQTTMessage) throws(Refusal) -> [String: JSONValue] {
        if message.isRetained {
            throw Refusal(.retained, "a request with the retain flag is old and not carried out")
        }
        guard message.payload.contains(where: { !$0.isASCIIWhitespace }) else { return [:] }
        guard message.payload.count <= SetPayload.limit else {
            throw Refusal(.tooLong, "a request takes payloads of up to \(SetPayload.limit) bytes")
        }
        do {
            if case .object(let members) = try JSONValue.parse(message.payload) { return members }
        } catch {
            throw Refusal(.invalidPayload, "the request \(error.reason)")
        }
        throw Refusal(.invalidPayload, "a request takes a JSON object, or nothing")
    }

    private func refresh(_ accessory: JSONValue?) throws(Refusal) {
        switch accessory {
        case nil, .null:
            for session in sessions.values { session.readAgain() }
        case .string(let id):
            guard let session = sessions[id] else {
                throw Refusal(.unknownAccessory, "there is no accessory \(id)")
            }
            session.readAgain()
        default:
            throw Refusal(.invalidPayload, "accessory takes the identifier of an accessory as a string")
        }
    }
}
