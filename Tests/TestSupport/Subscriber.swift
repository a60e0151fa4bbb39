internal import Synchronization

/// A message as an independent client, mosquitto_sub, received it.
public struct ReceivedMessage: Sendable, Equatable {
    public let topic: String
    public let payload: [UInt8]
    public let isRetained: Bool
    public let qos: Int
    /// User properties, response topic and the rest, as mosquitto_sub prints them (`%P %R %D %C`), where there are any.
    public let userProperties: String
    public let responseTopic: String
    public let contentType: String

    /// The payload as text.
    public var text: String { String(decoding: payload, as: UTF8.self) }
}

/// A mosquitto_sub that collects what it receives.
public final class Subscriber: Sendable {
    private let process: ChildProcess
    /// What was received, and from how many lines of output: each is read once, however often tests ask.
    private let received = Mutex((messages: [ReceivedMessage](), lines: 0))

    /// Subscribes and waits until the broker has confirmed it.
    public init(
        to filters: [String], on broker: Broker, version: String = "5", qos: Int = 1, id: String? = nil,
        extra arguments: [String] = []
    ) async throws {
        // The payload in hexadecimal, so that no byte of it can be mistaken for another field.
        let format = ">%r\\t%q\\t%t\\t%R\\t%C\\t%P\\t%x"
        let id = id ?? "subscriber-\(UInt32.random(in: 0...UInt32.max))"
        process = try ChildProcess(
            "mosquitto_sub",
            ["-h", broker.host, "-p", "\(broker.port)", "-i", id, "-V", version, "-q", "\(qos)", "-F", format]
                + filters.flatMap { ["-t", $0] } + arguments)
        // What it says itself stays in its buffer until the first message.
        try await broker.waitForLog("Sending SUBACK to \(id)")
    }

    /// Everything received so far, in order.
    public var messages: [ReceivedMessage] {
        let lines = process.lines
        return received.withLock { received in
            if received.lines < lines.count {
                received.messages += lines[received.lines...].compactMap(Self.parse)
                received.lines = lines.count
            }
            return received.messages
        }
    }

    /// What was received on a topic so far.
    public func messages(on topic: String) -> [ReceivedMessage] { messages.filter { $0.topic == topic } }

    /// Waits for a message on the topic; with a payload, for one that has it.
    @discardableResult
    public func waitFor(
        topic: String, payload: String? = nil, within limit: Duration = .seconds(30)
    ) async throws -> ReceivedMessage {
        var found: ReceivedMessage?
        try await waitUntil("a message on \(topic)" + (payload.map { " saying \"\($0)\"" } ?? ""), within: limit) {
            found = messages.first { $0.topic == topic && (payload == nil || $0.text == payload) }
            return found != nil
        }
        guard let found else { throw TimedOut(description: "no message on \(topic)") }
        return found
    }

    public func stop() { process.kill() }

    private static func parse(_ line: String) -> ReceivedMessage? {
        guard line.hasPrefix(">") else { return nil }
        let fields = line.dropFirst().split(separator: "\t", omittingEmptySubsequences: false)
        guard fields.count == 7 else { return nil }
        return ReceivedMessage(
            topic: String(fields[2]), payload: bytes(fields[6]), isRetained: fields[0] == "1", qos: Int(fields[1]) ?? 0,
            userProperties: String(fields[5]), responseTopic: String(fields[3]), contentType: String(fields[4]))
    }

    private static func bytes(_ hexadecimal: Substring) -> [UInt8] {
        var rest = hexadecimal
        var bytes: [UInt8] = []
        while rest.count >= 2, let byte = UInt8(rest.prefix(2), radix: 16) {
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        return bytes
    }
}

extension Broker {
    /// Publishes with mosquitto_pub, an independent client, and waits until it has.
    /// - Parameter properties: arguments as mosquitto_pub's `-D` takes them, without the command:
    ///   `["response-topic answers"]`, `["user-property name value"]`.
    public func publish(
        topic: String, payload: String, retain: Bool = false, qos: Int = 1, version: String = "5",
        properties: [String] = [], extra arguments: [String] = []
    ) async throws {
        let content = payload.isEmpty ? ["-n"] : ["-m", payload]
        let options = properties.flatMap { property in
            ["-D", "publish"] + property.split(separator: " ", maxSplits: 2).map(String.init)
        }
        try await run(
            "mosquitto_pub",
            ["-h", host, "-p", "\(port)", "-V", version, "-q", "\(qos)", "-t", topic] + content + (retain ? ["-r"] : [])
                + options + arguments)
    }
}

/// Runs a program to its end.
/// - Returns: the lines of its output.
@discardableResult
public func run(_ program: String, _ arguments: [String], within limit: Duration = .seconds(30)) async throws
    -> [String]
{
    let process = try ChildProcess(program, arguments)
    try await waitUntil("\(program) to end", within: limit) { process.hasEnded }
    let status = process.waitForStatus()
    guard status == 0 else {
        throw SpawnError(
            "\(program) \(arguments.joined(separator: " ")) ended with \(status): "
                + process.lines.joined(separator: " | "))
    }
    return process.lines
}
