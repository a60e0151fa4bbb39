/// How a command or request ended, in the one shape that all answers have.
enum ResponseStatus: Sendable {
    case ok
    case superseded
    /// `code` in the answer is the first refusal's.
    case error(message: String, [Refusal])

    /// The answer as JSON: `status`, `data`, `error`, `transaction`.
    static func json(
        _ status: ResponseStatus, transaction: JSONValue?, data: (inout JSONWriter) -> Void = { _ in }
    ) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.field("status", status.name)
            json.key("data")
            json.object(data)
            if case .error(let message, let refusals) = status {
                json.key("error")
                json.object { json in
                    json.field("code", refusals.first?.code.rawValue)
                    json.field("message", message)
                    json.key("details")
                    json.array { json in
                        for refusal in refusals { json.refusal(refusal) }
                    }
                }
            }
            if let transaction {
                json.key("transaction")
                json.value(transaction)
            }
        }
        return json.bytes
    }

    private var name: String {
        switch self {
        case .ok: "ok"
        case .superseded: "superseded"
        case .error: "error"
        }
    }
}

extension JSONWriter {
    fileprivate mutating func refusal(_ refusal: Refusal) {
        object { json in
            json.field("setting", refusal.setting)
            json.field("code", refusal.code.rawValue)
            json.field("message", refusal.message)
        }
    }
}
