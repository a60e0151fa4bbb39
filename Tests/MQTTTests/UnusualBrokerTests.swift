import TestSupport
import Testing

@testable import MQTT

@Suite(.timeLimit(.minutes(1)))
struct UnusualBrokerTests {
    private static let accepted311: [UInt8] = [0x20, 2, 0, 0]
    private static let accepted5: [UInt8] = [0x20, 3, 0, 0, 0]

    private static func configuration(_ broker: FakeBroker) -> MQTTConfiguration {
        MQTTConfiguration(host: "127.0.0.1", port: broker.port, clientID: "test")
    }

    @Test(arguments: [[0x20, 2, 0, 1], [0x20, 3, 0, 132, 0]] as [[UInt8]])
    func aBrokerThatRefusesMQTT5IsAsked311AtOnce(refusal: [UInt8]) async throws {
        let broker = try FakeBroker { $0 == 5 ? .send(refusal) : .send(Self.accepted311) }
        try await withClient(Self.configuration(broker)) { harness in
            try await harness.waitUntilConnected()
            #expect(broker.levels == [5, 4])
            #expect(harness.failures.isEmpty)
            #expect(harness.connections[0].protocolVersion == .v311)
            #expect(harness.client.negotiatedVersion == .v311)
        }
    }

    @Test func aBrokerThatClosesOnMQTT5TwiceIsAsked311() async throws {
        let broker = try FakeBroker { $0 == 5 ? .close : .send(Self.accepted311) }
        try await withClient(Self.configuration(broker)) { harness in
            try await harness.waitUntilConnected()
            #expect(broker.levels == [5, 5, 4])
            #expect(harness.failures.map(\.kind) == [.closedBeforeAnswer, .closedBeforeAnswer])
        }
    }

    @Test func aBrokerThatSaysNothingIsAskedMQTT5Again() async throws {
        let broker = try FakeBroker { _ in .silence }
        var limits = MQTTClient.Limits()
        limits.connectAnswer = .milliseconds(100)
        try await withClient(MQTTClient(Self.configuration(broker), limits: limits) { 0 }) { harness in
            try await waitUntil("three attempts", within: .seconds(30)) { harness.failures.count >= 3 }
            #expect(broker.levels.allSatisfy { $0 == 5 })
            #expect(harness.failures[0].kind == .noAnswer)
        }
    }

    @Test("O14: a take-over the broker tells about is named")
    func takenOver() async throws {
        let broker = try FakeBroker { _ in .send(Self.accepted5 + [0xE0, 1, 142]) }
        try await withClient(Self.configuration(broker)) { harness in
            let loss = try await harness.waitForLoss()
            #expect(loss.kind == .takenOver)
            #expect(loss.reason == .sessionTakenOver)
            #expect(
                loss.description == "another client took over the client id 'test' at 127.0.0.1:\(broker.port) "
                    + "(reason 142): two clients must not use the same one")
        }
    }

    @Test func aServerThatShutsDownSaysSo() async throws {
        let broker = try FakeBroker { _ in .send(Self.accepted5 + [0xE0, 1, 139]) }
        try await withClient(Self.configuration(broker)) { harness in
            let failure = try await harness.waitForLoss()
            #expect(failure.kind == .serverShuttingDown)
        }
    }

    @Test func whatIsNoBrokerIsReported() async throws {
        let broker = try FakeBroker { _ in
            .send(
                Array(
                    "HTTP/1.1 400 Bad Request\r\nContent-Type: text/html\r\nContent-Length: 60\r\nConnection: close\r\n\r\n"
                        .utf8))
        }
        try await withClient(Self.configuration(broker)) { harness in
            let failure = try await harness.waitForFailure()
            #expect(failure.kind == .protocolError)
            #expect(failure.description.contains("sent something that is not MQTT"))
        }
    }
}
