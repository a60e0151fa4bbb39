import AccessorySettings

/// The payload of a `/set` message before it is held against a setting's declaration.
struct SetPayload: Sendable, Equatable {
    /// One setting's part of the payload.
    enum Input: Sendable, Equatable {
        case bytes([UInt8])
        case json(JSONValue)
    }

    /// Payloads above this size are not decoded, in bytes.
    static let limit = 256 * 1024

    var entries: [(setting: String, input: Input)]
    /// What the sender gave to recognise the answer by.
    var transaction: JSONValue?

    /// Takes apart a message on a setting's own topic: a bare value, or `{"value":…}` with at most `transaction`
    /// beside it.
    init(_ payload: [UInt8], for setting: String) {
        if let members = Self.object(payload), let value = members["value"],
            members.keys.allSatisfy({ $0 == "value" || $0 == "transaction" })
        {
            entries = [(setting, .json(value))]
            transaction = members["transaction"]
        } else {
            entries = [(setting, .bytes(payload))]
        }
    }

    /// Takes apart a message on an accessory's topic: a JSON object of several values.
    ///
    /// `transaction` is the sender's mark, unless the accessory has a setting of that name.
    init(_ payload: [UInt8], forAccessoryWith snapshot: Snapshot) throws(Refusal) {
        let value: JSONValue
        do {
            value = try JSONValue.parse(payload)
        } catch {
            throw Refusal(.invalidPayload, "the payload \(error.reason)")
        }
        guard case .object(var members) = value else {
            throw Refusal(.invalidPayload, "a set takes a JSON object of settings and values, such as {\"eco\": true}")
        }
        var transaction: JSONValue?
        if snapshot["transaction"] == nil { transaction = members.removeValue(forKey: "transaction") }
        try self.init(members, transaction, forAccessoryWith: snapshot)
    }

    /// Takes apart the changes that a request names.
    init(
        _ changes: [String: JSONValue], _ transaction: JSONValue?, forAccessoryWith snapshot: Snapshot
    ) throws(Refusal) {
        guard !changes.isEmpty else {
            throw Refusal(.invalidPayload, "the object names no setting")
        }
        self.transaction = transaction
        // In the order of the settings, so that answers and logs don't depend on the order of a dictionary.
        entries = changes.map { ($0.key, Input.json($0.value)) }
            .sorted { (snapshot.position(of: $0.0) ?? .max, $0.0) < (snapshot.position(of: $1.0) ?? .max, $1.0) }
    }

    /// The sender's mark in a payload that is otherwise not understood, so that the refusal can carry it.
    static func transaction(in payload: [UInt8]) -> JSONValue? {
        object(payload)?["transaction"]
    }

    static func == (one: SetPayload, other: SetPayload) -> Bool {
        one.transaction == other.transaction && one.entries.elementsEqual(other.entries, by: ==)
    }

    private static func object(_ payload: [UInt8]) -> [String: JSONValue]? {
        guard payload.count <= limit, payload.first(where: { !$0.isASCIIWhitespace }) == UInt8(ascii: "{"),
            case .object(let members) = try? JSONValue.parse(payload)
        else { return nil }
        return members
    }
}

extension UInt8 {
    /// Blank, tab, line feed, carriage return: what may stand around a value.
    var isASCIIWhitespace: Bool {
        switch self {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): true
        default: false
        }
    }
}
