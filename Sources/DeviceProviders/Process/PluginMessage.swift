import SettingsBridge

/// What the bridge asks of a plug-in.
enum PluginRequest: Sendable, Equatable {
    case describe, read
    case write([DeviceChange])

    var name: String {
        switch self {
        case .describe: "describe"
        case .read: "read"
        case .write: "write"
        }
    }

    /// The line that asks for it, with its end.
    func line(id: Int) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { object in
            object.key("id")
            object.value(.integer(Int64(id)))
            object.key("request")
            object.value(.string(name))
            guard case .write(let changes) = self else { return }
            object.key("changes")
            object.object {
                for change in changes {
                    $0.key(change.setting)
                    $0.value(change.value)
                }
            }
        }
        return writer.bytes + [UInt8(ascii: "\n")]
    }
}

/// A line of a plug-in.
enum PluginMessage: Sendable {
    case answer(id: Int, PluginAnswer)
    /// Something changed by itself.
    case changed

    /// - Throws: a sentence that continues "a line of its standard output …".
    init(_ line: [UInt8]) throws(PluginFault) {
        let members: [String: JSONValue]
        do throws(JSONSyntaxError) {
            guard case .object(let object) = try JSONValue.parse(line) else {
                throw JSONSyntaxError(reason: "is no JSON object")
            }
            members = object
        } catch {
            throw PluginFault(message: error.reason, line: line)
        }
        switch (members["id"], members["notice"]) {
        case (.integer(let id)?, nil):
            self = .answer(id: Int(id), PluginAnswer(members: members, line: line))
        case (nil, .string("changed")?):
            self = .changed
        default:
            throw PluginFault(message: #"has neither a whole number "id" nor "notice": "changed""#, line: line)
        }
    }
}

/// What is wrong with a line.
struct PluginFault: Error {
    var message: String
    /// Where the line itself says more.
    var line: [UInt8]?

    /// With the beginning of the line.
    func sentence(hiding secrets: Redaction) -> String {
        let message = secrets.hide(message)
        guard let line else { return message }
        return "\(message): \(line.isEmpty ? "an empty line" : secrets.excerpt(line, limit: 80))"
    }
}

/// What a plug-in answered.
struct PluginAnswer: Sendable {
    var members: [String: JSONValue]
    /// The line itself, where members have an order.
    var line: [UInt8]
    /// In which run of the plug-in.
    var run = 0

    /// Why the plug-in could not do what it was asked for.
    var error: String? { members["error"].flatMap(Self.sentence) }

    /// What `error`, or one of `errors`, says; `nil` where there is none.
    static func sentence(of error: JSONValue) -> String? {
        switch error {
        case .null: nil
        case .string(let text): text
        default: "an error without words"
        }
    }
}
