import SettingsBridge

/// The answer to a request.
struct BridgeAnswer: Equatable {
    enum Status: String {
        case ok, error, superseded
    }

    let status: Status
    /// The text of the JSON object `data`.
    let data: [UInt8]
    /// Why it was refused or failed.
    let problem: String?
    let transaction: String?

    /// - Returns: `nil` for what is no answer.
    init?(_ payload: [UInt8]) {
        guard case .object(let members)? = try? JSONValue.parse(payload),
            let status = members["status"]?.text.flatMap(Status.init)
        else { return nil }
        self.status = status
        data = OrderedObject(payload)["data"] ?? Array("{}".utf8)
        problem = members["error"]?["message"]?.text
        transaction = members["transaction"]?.text
    }
}

extension JSONValue {
    var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    var elements: [JSONValue] {
        if case .array(let elements) = self { elements } else { [] }
    }

    subscript(key: String) -> JSONValue? {
        if case .object(let members) = self { members[key] } else { nil }
    }

    /// A value as it stands on its state topic: `ON`, `21.5`, a text; `nil` for one that can't be read.
    var stateText: String? {
        switch self {
        case .null, .array, .object: nil
        case .bool(let isOn): isOn ? "ON" : "OFF"
        case .integer(let number): String(number)
        case .number(let number): NumberText.text(number)
        case .string(let text): text
        }
    }

    var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        default: nil
        }
    }
}

/// The values in an answer, in the accessory's order.
struct AnsweredValues {
    /// With the values as on their state topics; `nil` for one that can't be read.
    let values: [(setting: String, value: String?)]

    /// - Parameter data: with the values as `settings`.
    init(_ data: [UInt8]) {
        values = OrderedObject(OrderedObject(data)["settings"] ?? []).members.map { member in
            (member.key, (try? JSONValue.parse(member.json))?.stateText)
        }
    }
}
