import Foundation
import TestSupport
import Testing

@testable import MQTT

@Suite(.enabled(if: Broker.isAvailable), .timeLimit(.minutes(2)))
struct ConnectionTests {
    static let will = MQTTMessage(topic: "state", payload: "offline", isRetained: true)

    @Test(arguments: [MQTTConfiguration.ProtocolVersionChoice.v5, .v311])
    func theWillComesAfterALossOnly(version: MQTTConfiguration.ProtocolVersionChoice) async throws {
        try await withBroker { broker in
            let subscriber = try await Subscriber(to: ["#"], on: broker)
            var configuration = MQTTConfiguration(broker, version: version)
            configuration.will = Self.will
            try await withClient(configuration) { harness in
                try await harness.waitUntilConnected()
                _ = try harness.client.publish(MQTTMessage(topic: "state", payload: "clean", isRetained: true))
            }
            try await subscriber.waitFor(topic: "state", payload: "clean")
            try await broker.publish(topic: "marker", payload: "1")
            try await subscriber.waitFor(topic: "marker")
            #expect(!subscriber.messages.contains { $0.text == "offline" })

            try await withClient(configuration) { harness in
                try await harness.waitUntilConnected()
                // A client with the same id is, for the broker, the end of the first.
                try await run(
                    "mosquitto_pub", ["-h", broker.host, "-p", "\(broker.port)", "-i", "test", "-t", "x", "-m", "x"])
                try await subscriber.waitFor(topic: "state", payload: "offline")
            }
        }
    }

    @Test func theSessionWaitsForTheClientAsLongAsItSays() async throws {
        try await withBroker { broker in
            var configuration = MQTTConfiguration(broker, version: .v5)
            configuration.sessionExpiryInterval = 60
            try await withClient(configuration) { harness in
                try await harness.waitUntilConnected()
                #expect(!harness.connections[0].sessionPresent)
                try await harness.client.subscribe([MQTTSubscription(filter: "t")])
            }
            try await broker.publish(topic: "t", payload: "meanwhile")
            try await withClient(configuration) { harness in
                try await harness.waitUntilConnected()
                #expect(harness.connections[0].sessionPresent)
                try await waitUntil("the queued message") { !harness.messages.isEmpty }
                #expect(harness.messages[0].payload == Array("meanwhile".utf8))
            }
            configuration.sessionExpiryInterval = 0
            try await withClient(configuration) { harness in
                try await harness.waitUntilConnected()
                #expect(!harness.connections[0].sessionPresent)
            }
        }
    }

    @Test(arguments: [MQTTConfiguration.ProtocolVersionChoice.v5, .v311])
    func itComesBackAfterARestartOfTheBroker(version: MQTTConfiguration.ProtocolVersionChoice) async throws {
        try await withBroker { broker in
            try await withClient(MQTTConfiguration(broker, version: version)) { harness in
                try await harness.waitUntilConnected()
                broker.stop()
                let loss = try await harness.waitForLoss()
                #expect(loss.kind == .connectionLost)
                #expect(loss.description == "the broker at 127.0.0.1:\(broker.port) closed the connection")
                #expect(throws: MQTTError.notConnected(doing: "publishing on 't'")) {
                    try harness.client.publish(MQTTMessage(topic: "t", payload: "x"))
                }
                await #expect(throws: MQTTError.notConnected(doing: "subscribing")) {
                    try await harness.client.subscribe([MQTTSubscription(filter: "t")])
                }
                #expect(await !harness.client.flush(within: .seconds(1)))
                try await broker.start()
                try await harness.waitUntilConnected(times: 2, within: .seconds(20))
                #expect(harness.client.counters.reconnects == 1)
                try await harness.client.subscribe([MQTTSubscription(filter: "t")])
            }
        }
    }

    @Test("O26: without a broker at start it tries until there is one")
    func noBrokerAtStart() async throws {
        let port = try Broker.freePort()
        let configuration = MQTTConfiguration(host: "127.0.0.1", port: port, clientID: "test")
        try await withClient(configuration) { harness in
            let failure = try await harness.waitForFailure()
            #expect(failure.kind == .nobodyListens)
            #expect(failure.description == "nobody listens at 127.0.0.1:\(port) (connection refused)")
        }
        try await withBroker { broker in
            broker.stop()
            try await withClient(MQTTConfiguration(broker)) { harness in
                try await waitUntil("two attempts") { harness.failures.count >= 2 }
                try await broker.start()
                try await harness.waitUntilConnected(within: .seconds(30))
            }
        }
    }

    @Test func anUnknownHostIsNamed() async throws {
        let configuration = MQTTConfiguration(host: "no-such-host.invalid", port: 1, clientID: "test")
        try await withClient(configuration) { harness in
            let failure = try await harness.waitForFailure(within: .seconds(30))
            #expect(failure.kind == .unknownHost)
            #expect(failure.description.contains("'no-such-host.invalid'"))
        }
    }

    @Test(
        "O11, O10: a refused password is reported as that, and it connects once the account is right",
        arguments: [MQTTConfiguration.ProtocolVersionChoice.v5, .v311])
    func wrongPassword(version: MQTTConfiguration.ProtocolVersionChoice) async throws {
        try await withBroker(
            configuration: "password_file {directory}/passwords", allowAnonymous: false,
            prepare: Self.writeWrongPassword
        ) { broker in
            var configuration = MQTTConfiguration(broker, version: version)
            configuration.user = "bridge"
            configuration.password = Secret("S3cret-Pa55-42")
            try await withClient(configuration) { harness in
                let failure = try await harness.waitForFailure()
                let code = version == .v5 ? "reason 135" : "return code 5"
                #expect(failure.kind == .badCredentials)
                #expect(
                    failure.description
                        == "the broker at 127.0.0.1:\(broker.port) refused user 'bridge': not authorised, "
                        + "or bad user name or password (\(code))")
                try await Self.writePassword("S3cret-Pa55-42", in: broker.directory)
                broker.reload()
                try await harness.waitUntilConnected(within: .seconds(30))
                #expect(!"\(harness.events) \(configuration)".contains("S3cret"))
            }
            #expect(!broker.log.contains { $0.contains("S3cret") })
        }
    }

    private static func writeWrongPassword(in directory: URL) async throws {
        try await writePassword("another", in: directory)
    }

    private static func writePassword(_ password: String, in directory: URL) async throws {
        try await run(
            "mosquitto_passwd", ["-c", "-b", directory.appendingPathComponent("passwords").path, "bridge", password])
    }

    @Test(
        "O14: where the broker gives no reason, a client with the same id is suspected after two short connections",
        arguments: [MQTTConfiguration.ProtocolVersionChoice.v5, .v311])
    func suspectedTakeOver(version: MQTTConfiguration.ProtocolVersionChoice) async throws {
        try await withBroker { broker in
            try await withClient(MQTTConfiguration(broker, version: version, id: "X")) { harness in
                for round in 1...2 {
                    try await harness.waitUntilConnected(times: round, within: .seconds(30))
                    try await run(
                        "mosquitto_pub", ["-h", broker.host, "-p", "\(broker.port)", "-i", "X", "-t", "x", "-m", "x"])
                    try await waitUntil("loss \(round)") { harness.losses.count >= round }
                }
                #expect(harness.losses.map(\.kind) == [.connectionLost, .takenOver])
                #expect(harness.losses[1].description.contains("perhaps another client uses the client id 'X'"))
            }
        }
    }

    @Test("O34: a frozen broker is noticed within two keepalives, and used again once it thaws")
    func frozenBroker() async throws {
        try await withBroker { broker in
            var configuration = MQTTConfiguration(broker)
            configuration.keepAlive = 5
            var limits = MQTTClient.Limits()
            limits.connectAnswer = .seconds(2)
            let client = MQTTClient(configuration, limits: limits) { 0 }
            try await withClient(client) { harness in
                try await harness.waitUntilConnected()
                broker.pause()
                let loss = try await harness.waitForLoss(within: .seconds(15))
                #expect(loss.kind == .keepAliveTimeout)
                let failure = try await harness.waitForFailure()
                #expect(failure.kind == .noAnswer)
                #expect(failure.description.contains("gave no answer to CONNECT within 2 s"))
                broker.resume()
                try await harness.waitUntilConnected(times: 2, within: .seconds(40))
            }
        }
    }

    @Test func aSlowConsumerHoldsUpTheBrokerAndLosesNothing() async throws {
        try await withBroker { broker in
            var limits = MQTTClient.Limits()
            limits.inbox = 50
            let client = MQTTClient(MQTTConfiguration(broker), limits: limits) { 0 }
            let running = Task { await client.run() }
            var events = client.events.makeAsyncIterator()
            guard case .connected = await events.next() else {
                Issue.record("no connection")
                return
            }
            try await client.subscribe([MQTTSubscription(filter: "#")])
            for number in 0..<500 { _ = try client.publish(MQTTMessage(topic: "t", payload: "\(number)")) }
            try await waitUntil("a full inbox") { client.counters.messagesReceived >= 50 }
            for number in 0..<500 {
                guard case .message(let message) = await events.next() else {
                    Issue.record("message \(number) is missing")
                    break
                }
                #expect(message.payload == Array("\(number)".utf8))
            }
            await client.stop()
            await running.value
        }
    }
}
