import Foundation
import TestSupport

/// A bridge that runs for a test, and its own command line to talk to it.
struct RunningBridge {
    let broker: Broker
    let base: String
    /// Of its configuration.
    let path: String
    let process: ChildProcess

    /// Runs a command that talks to it, to its end.
    func ask(_ command: String, _ arguments: String...) async throws -> (status: Int32, lines: [String]) {
        try await Program.settings2mqtt.run([command, "-c", path] + arguments)
    }

    /// Starts a command that goes on.
    func start(_ command: String, _ arguments: String...) throws -> ChildProcess {
        try Program.settings2mqtt.start([command, "-c", path] + arguments)
    }

    /// Ends it as an operator would.
    func stop() async throws {
        process.signal(SIGTERM)
        _ = try await process.end(within: .seconds(10))
    }
}

/// Runs the body with a bridge that is online: a simulated thermostat called `hallway`, and a fan called `vent` that keeps
/// its `offset`, -20 to 20, in a file.
///
/// - Parameters:
///   - base: its base topic, another one in each test.
///   - version: of MQTT.
func withRunningBridge(
    _ broker: Broker, base: String, version: String = "auto", _ body: (RunningBridge) async throws -> Void
) async throws {
    try await withFolder { folder in
        let offset = folder.appending(path: "offset")
        try Data("3\n".utf8).write(to: offset)
        let text = """
            {
              "mqtt": { "server": "mqtt://127.0.0.1:\(broker.port)", "base_topic": "\(base)", "client_id": "\(base)",
                        "version": "\(version)" },
              "home_assistant": { "enabled": false },
              "accessories": [
                { "id": "hallway", "provider": { "type": "simulated", "model": "thermostat" } },
                { "id": "vent", "provider": {
                    "type": "file", "format": "text", "path": "\(offset.path)",
                    "settings": { "offset": { "kind": "range", "min": -20, "max": 20, "integer": true } } } }
              ]
            }
            """
        try await withConfiguration(text) { path in
            let process = try Program.settings2mqtt.start(["run", "-c", path])
            defer { process.kill() }
            let subscriber = try await Subscriber(to: ["\(base)/#"], on: broker)
            defer { subscriber.stop() }
            for accessory in ["hallway", "vent"] {
                try await subscriber.waitFor(topic: "\(base)/\(accessory)/availability", payload: "online")
            }
            try await subscriber.waitFor(topic: "\(base)/bridge/state", payload: "online")
            try await body(RunningBridge(broker: broker, base: base, path: path, process: process))
        }
    }
}

/// Stands in for a bridge, to answer what a real one seldom does.
struct BridgeStandIn {
    let broker: Broker
    let base: String
    private let requests: Subscriber

    init(_ broker: Broker, base: String) async throws {
        self.broker = broker
        self.base = base
        requests = try await Subscriber(to: ["\(base)/bridge/request/#"], on: broker)
        try await broker.publish(topic: "\(base)/bridge/state", payload: "online", retain: true)
    }

    /// Starts a command that talks to it, by options alone.
    func start(_ command: String, _ arguments: String...) throws -> ChildProcess {
        try Program.settings2mqtt.start(
            [command, "--server", "mqtt://127.0.0.1:\(broker.port)", "--base-topic", base] + arguments)
    }

    /// The next request: what it holds, and its transaction as JSON.
    func request(_ verb: String) async throws -> (text: String, transaction: String) {
        let message = try await requests.waitFor(topic: "\(base)/bridge/request/\(verb)")
        struct Request: Decodable { var transaction: String }
        return (message.text, try JSONDecoder().decode(Request.self, from: Data(message.payload)).transaction)
    }

    /// - Parameter members: of the answer, beside the transaction.
    func answer(_ verb: String, _ members: String, transaction: String) async throws {
        try await broker.publish(
            topic: "\(base)/bridge/response/\(verb)", payload: #"{\#(members),"transaction":"\#(transaction)"}"#)
    }
}
