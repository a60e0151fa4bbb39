import MQTT
import Synchronization
import TestSupport

/// A running client whose events are collected.
final class Harness: Sendable {
    let client: MQTTClient
    private let collected = Mutex<[MQTTEvent]>([])

    init(_ client: MQTTClient) {
        self.client = client
    }

    var events: [MQTTEvent] { collected.withLock { $0 } }

    var messages: [MQTTMessage] {
        events.compactMap { if case .message(let message) = $0 { message } else { nil } }
    }

    var connections: [MQTTConnection] {
        events.compactMap { if case .connected(let connection) = $0 { connection } else { nil } }
    }

    var failures: [MQTTConnectionFailure] {
        events.compactMap { if case .connectionFailed(let failure, _, _) = $0 { failure } else { nil } }
    }

    var losses: [MQTTConnectionFailure] {
        events.compactMap { if case .disconnected(let failure, _) = $0 { failure } else { nil } }
    }

    func waitUntilConnected(times: Int = 1, within limit: Duration = .seconds(30)) async throws {
        try await waitUntil("connection number \(times); so far \(events)", within: limit) {
            connections.count >= times
        }
    }

    func waitForFailure(within limit: Duration = .seconds(30)) async throws -> MQTTConnectionFailure {
        try await waitUntil("a failed attempt", within: limit) { !failures.isEmpty }
        return failures[0]
    }

    func waitForLoss(within limit: Duration = .seconds(30)) async throws -> MQTTConnectionFailure {
        try await waitUntil("the end of the connection", within: limit) { !losses.isEmpty }
        return losses[0]
    }

    fileprivate func collect() async {
        for await event in client.events { collected.withLock { $0.append(event) } }
    }
}

/// Runs a client and collects its events while the body runs; stops it afterwards, whatever happens.
func withClient<Result>(
    _ client: MQTTClient, _ body: (Harness) async throws -> Result
) async throws -> Result {
    let harness = Harness(client)
    let running = Task { await client.run() }
    let collecting = Task { await harness.collect() }
    let result: Swift.Result<Result, any Error>
    do {
        result = .success(try await body(harness))
    } catch {
        result = .failure(error)
    }
    await client.stop()
    await running.value
    await collecting.value
    return try result.get()
}

func withClient<Result>(
    _ configuration: MQTTConfiguration, _ body: (Harness) async throws -> Result
) async throws -> Result {
    try await withClient(MQTTClient(configuration), body)
}

extension MQTTConfiguration {
    /// A client for the broker of a test.
    init(_ broker: Broker, version: ProtocolVersionChoice = .automatic, id: String = "test") {
        self.init(host: broker.host, port: broker.port, clientID: id, version: version)
    }
}
