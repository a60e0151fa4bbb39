import MQTT
import Synchronization

/// What the bridge can be asked for on `bridge/request/<verb>`.
enum RequestVerb: String, CaseIterable, Sendable {
    /// What `bridge/info` tells.
    case info
    /// All accessories, or one, with their settings, values and state.
    case list
    /// Reads an accessory anew.
    case get
    /// Changes settings of one accessory.
    case set
    /// Reads one accessory or all of them again, without waiting for it.
    case refresh
    /// Takes over the configuration as it is in its file now.
    case reload
    /// Tells or changes what is logged.
    case logLevel = "log_level"
    /// Whether the bridge is well, and what `bridge/health` tells.
    case healthCheck = "health_check"

    var parameters: [String] {
        switch self {
        case .info, .reload, .healthCheck: []
        case .list, .refresh: ["accessory"]
        case .get: ["accessory", "setting"]
        case .set: ["accessory", "changes"]
        case .logLevel: ["level"]
        }
    }
}

/// A request that only the bridge itself can answer.
struct BridgeRequest: Sendable {
    var verb: RequestVerb
    /// What it is about, where it is about one.
    var session: AccessorySession?
    var sender: Sender
}

/// Answers `bridge/request/<verb>`.
struct Requests: Sendable {
    let sessions: [String: AccessorySession]
    let output: BridgeOutput
    /// - Returns: `false` where too many are under way.
    let askBridge: @Sendable (BridgeRequest) -> Bool

    func handle(_ name: String, _ message: MQTTMessage, _ sender: Sender) {
        var sender = sender
        sender.isRequest = true
        sender.transaction = SetPayload.transaction(in: message.payload)
        do throws(Refusal) {
            let members = try members(of: message)
            guard let verb = RequestVerb(rawValue: name) else {
                let known = RequestVerb.allCases.map(\.rawValue).joined(separator: ", ")
                throw Refusal(.unknownRequest, "there is no request '\(name.prefix(40))'; known: \(known)")
            }
            try handle(verb, RequestParameters(verb, members, sessions), message, sender)
        } catch {
            output.log.warning("bridge", "request refused: \(error.message)")
            // An unknown verb is answered under its own name only where that is a topic level of ordinary length.
            output.respond(to: sender, String(name.prefix(64)), .error(message: error.message, [error]))
        }
    }

    private func handle(
        _ verb: RequestVerb, _ parameters: RequestParameters, _ message: MQTTMessage, _ sender: Sender
    ) throws(Refusal) {
        switch verb {
        case .info, .reload, .healthCheck:
            try ask(BridgeRequest(verb: verb, sender: sender))
        case .list:
            try ask(BridgeRequest(verb: verb, session: try parameters.session(isRequired: false), sender: sender))
        case .get, .set:
            let changes = verb == .set ? try parameters.changes() : nil
            let kind: Command.Kind = verb == .set ? .set(setting: nil) : .get(setting: try parameters.string("setting"))
            try parameters.session()?.receive(
                Command(
                    kind: kind, payload: message.payload, changes: changes, isRetained: false, sender: sender,
                    receivedAt: .now))
        case .refresh:
            if let session = try parameters.session(isRequired: false) {
                session.readAgain()
            } else {
                for session in sessions.values { session.readAgain() }
            }
            output.respond(to: sender, verb.rawValue, .ok)
        case .logLevel:
            if let level = try parameters.level() {
                output.log.control.request(level)
                output.log.info("bridge", "the log's level is \(level.rawValue) now, until the next reload")
            }
            output.respond(to: sender, verb.rawValue, .ok) {
                $0.field("level", output.log.control.level.rawValue)
            }
        }
    }

    private func ask(_ request: BridgeRequest) throws(Refusal) {
        guard !askBridge(request) else { return }
        throw Refusal(.busy, "\(RequestCount.limit) requests are under way already; try again when they are answered")
    }

    private func members(of message: MQTTMessage) throws(Refusal) -> [String: JSONValue] {
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
}

/// Keeps requests from piling up.
final class RequestCount: Sendable {
    static let limit = 100

    private let count = Mutex(0)

    /// - Returns: `false` where there are too many.
    func add() -> Bool {
        count.withLock { count in
            guard count < Self.limit else { return false }
            count += 1
            return true
        }
    }

    func remove() { count.withLock { $0 -= 1 } }
}
