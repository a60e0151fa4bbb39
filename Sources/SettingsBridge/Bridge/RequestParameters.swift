/// What a request says beside its verb.
struct RequestParameters {
    private let verb: RequestVerb
    private let members: [String: JSONValue]
    private let sessions: [String: AccessorySession]

    /// - Throws: a refusal that names the first parameter which the request does not have.
    init(
        _ verb: RequestVerb, _ members: [String: JSONValue], _ sessions: [String: AccessorySession]
    ) throws(Refusal) {
        (self.verb, self.members, self.sessions) = (verb, members, sessions)
        let known = verb.parameters + ["transaction"]
        guard let unknown = members.keys.sorted().first(where: { !known.contains($0) }) else { return }
        throw Refusal(
            .invalidPayload,
            "\(verb.rawValue) knows no '\(unknown.prefix(40))'; it takes \(known.joined(separator: ", "))")
    }

    /// The session that `accessory` names; `nil` only where it may be left out.
    func session(isRequired: Bool = true) throws(Refusal) -> AccessorySession? {
        guard let id = try string("accessory") else {
            guard isRequired else { return nil }
            throw Refusal(.invalidPayload, "\(verb.rawValue) needs the identifier of an accessory as 'accessory'")
        }
        guard let session = sessions[id], session.configuration.id.hasSameBytes(as: id) else {
            throw Refusal(.unknownAccessory, "\(id.prefix(100)): there is no accessory of this name")
        }
        return session
    }

    /// The object that `changes` holds.
    func changes() throws(Refusal) -> [String: JSONValue] {
        if case .object(let changes)? = members["changes"] { return changes }
        throw Refusal(
            .invalidPayload,
            "\(verb.rawValue) takes 'changes' as an object of settings and values, such as {\"eco\": true}")
    }

    func level() throws(Refusal) -> LogLevel? {
        guard let word = try string("level") else { return nil }
        if let level = LogLevel(rawValue: word) { return level }
        let known = LogLevel.allCases.map(\.rawValue).joined(separator: ", ")
        throw Refusal(.invalidPayload, "level is one of \(known); got '\(word.prefix(40))'")
    }

    /// - Returns: `nil` where the parameter is left out, or null.
    func string(_ name: String) throws(Refusal) -> String? {
        switch members[name] {
        case nil, .null: return nil
        case .string(let text): return text
        default: throw Refusal(.invalidPayload, "\(verb.rawValue) takes '\(name)' as a string")
        }
    }
}
