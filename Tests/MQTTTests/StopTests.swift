import Glibc
import Synchronization
import TestSupport
import Testing

@testable import MQTT

@Suite(.timeLimit(.minutes(2)))
struct StopTests {
    @Test func beforeRunningItEndsTheEvents() async {
        let client = MQTTClient(MQTTConfiguration(host: "127.0.0.1", port: 1, clientID: "test"))
        await client.stop()
        await client.stop()
        await client.run()
        var events = client.events.makeAsyncIterator()
        #expect(await events.next() == nil)
    }

    @Test func inThePauseBetweenAttempts() async throws {
        let configuration = MQTTConfiguration(host: "127.0.0.1", port: try Broker.freePort(), clientID: "test")
        try await withClient(configuration) { harness in
            _ = try await harness.waitForFailure()
            await harness.client.stop()
        }
    }

    @Test func whileConnectIsUnanswered() async throws {
        let broker = try FakeBroker { _ in .silence }
        let configuration = MQTTConfiguration(host: "127.0.0.1", port: broker.port, clientID: "test")
        try await withClient(configuration) { harness in
            try await waitUntil("CONNECT") { !broker.levels.isEmpty }
            await harness.client.stop()
            #expect(harness.events.isEmpty)
        }
    }

    @Test func whileTheConnectCallHangs() async throws {
        // A listener whose queue is full lets connect hang, as an unreachable host does.
        let (listener, port) = try Self.fullListener()
        defer { close(listener) }
        let configuration = MQTTConfiguration(host: "127.0.0.1", port: port, clientID: "test")
        try await withClient(configuration) { harness in
            try await waitUntil("the attempt") {
                harness.client.life.withLock { $0.isConnecting }
            }
            await harness.client.stop()
            #expect(harness.events.isEmpty)
        }
    }

    @Test(.enabled(if: Broker.isAvailable)) func withAFrozenBroker() async throws {
        try await withBroker { broker in
            try await withClient(MQTTConfiguration(broker)) { harness in
                try await harness.waitUntilConnected()
                broker.pause()
                let subscription = Task { try await harness.client.subscribe([MQTTSubscription(filter: "t")]) }
                let payload = [UInt8](repeating: 0, count: 1_000_000)
                for _ in 0..<20 { _ = try harness.client.publish(MQTTMessage(topic: "t", payload: payload)) }
                await harness.client.stop()
                await #expect(throws: MQTTError.self) { try await subscription.value }
                broker.resume()
            }
        }
    }

    @Test(.enabled(if: Broker.isAvailable)) func withUnreadMessagesTheWillStaysAway() async throws {
        try await withBroker { broker in
            let subscriber = try await Subscriber(to: ["state", "marker"], on: broker)
            var configuration = MQTTConfiguration(broker)
            configuration.will = MQTTMessage(topic: "state", payload: "offline")
            var limits = MQTTClient.Limits()
            limits.inbox = 10
            let client = MQTTClient(configuration, limits: limits) { 0 }
            let running = Task { await client.run() }
            var events = client.events.makeAsyncIterator()
            _ = await events.next()
            try await client.subscribe([MQTTSubscription(filter: "t")])
            for _ in 0..<500 { _ = try client.publish(MQTTMessage(topic: "t", payload: "x")) }
            try await waitUntil("a full inbox") { client.counters.messagesReceived >= 10 }
            await client.stop()
            await running.value
            try await broker.publish(topic: "marker", payload: "1")
            try await subscriber.waitFor(topic: "marker")
            #expect(subscriber.messages.map(\.topic) == ["marker"])
        }
    }

    @Test(.enabled(if: Broker.isAvailable)) func cancellingTheTaskStopsToo() async throws {
        try await withBroker { broker in
            let client = MQTTClient(MQTTConfiguration(broker))
            let running = Task { await client.run() }
            var events = client.events.makeAsyncIterator()
            guard case .connected = await events.next() else {
                Issue.record("no connection")
                return
            }
            running.cancel()
            await running.value
            #expect(await events.next() == nil)
        }
    }

    @Test(.enabled(if: Broker.isAvailable)) func twoHundredClientsComeAndGoWithoutATrace() async throws {
        try await withBroker { broker in
            func once(_ number: Int) async throws {
                try await withClient(MQTTConfiguration(broker, id: "client-\(number)")) { harness in
                    // Some are stopped while connecting, some when connected.
                    guard number % 3 > 0 else { return }
                    try await harness.waitUntilConnected()
                    _ = try harness.client.publish(MQTTMessage(topic: "t", payload: "x"))
                }
            }
            for number in 0..<200 { try await once(number) }
        }
    }

    private static func fullListener() throws -> (descriptor: Int32, port: Int) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                _ = bind(listener, pointer, size)
                _ = listen(listener, 0)
                _ = getsockname(listener, pointer, &size)
                for _ in 0..<4 {
                    let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
                    _ = connect(client, pointer, size)
                }
            }
        }
        return (listener, Int(UInt16(bigEndian: address.sin_port)))
    }
}
