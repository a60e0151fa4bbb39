import Foundation
import TestSupport
import Testing

@Suite("A provider that blocks the main actor", .broker, .timeLimit(.minutes(2))) struct BlockedMainActorTests {
    /// Runs the extension whose provider blocks; `bed` is its accessory.
    private func withExtension(
        _ base: String, _ body: (ChildProcess, Subscriber, Broker) async throws -> Void
    ) async throws {
        let broker = try #require(Broker.ofSuite)
        let configuration = """
            {
              "mqtt": { "server": "mqtt://127.0.0.1:\(broker.port)", "base_topic": "\(base)", "client_id": "\(base)" },
              "accessories": [{ "id": "bed", "refresh_interval": 0 }]
            }
            """
        try await withConfiguration(configuration) { file in
            let process = try Program.stubbornExtension.start(["run", "-c", file])
            defer { process.kill() }
            let subscriber = try await Subscriber(to: ["\(base)/#"], on: broker)
            defer { subscriber.stop() }
            try await subscriber.waitFor(topic: "\(base)/bed/availability", payload: "online", within: .seconds(20))
            try await subscriber.waitFor(topic: "\(base)/bridge/state", payload: "online")
            try await body(process, subscriber, broker)
        }
    }

    @Test func isNamedAndWhatNeedsNoProviderGoesOn() async throws {
        try await withExtension("nap") { process, subscriber, broker in
            try await broker.publish(topic: "nap/bed/nap/set", payload: "8")
            try await process.waitForLine("bed: provider StubbornProvider blocks the main actor")
            try await broker.publish(topic: "nap/bed/nap/set", payload: "99")
            let refusal = try await subscriber.waitFor(topic: "nap/bridge/response/set")
            #expect(refusal.text.contains(#""code":"out_of_range""#))
            #expect(subscriber.messages(on: "nap/bed/nap").map(\.text) == ["0", "0"], "not written yet")
            try await subscriber.waitFor(topic: "nap/bed/nap", payload: "8", within: .seconds(20))
            #expect(process.lines.filter { $0.contains("connected with MQTT") }.count == 1)
        }
    }

    @Test("O22: does not keep the bridge from stopping")
    func o22Stop() async throws {
        try await withExtension("stop") { process, subscriber, broker in
            try await broker.publish(topic: "stop/bed/nap/set", payload: "60")
            try await process.waitForLine("bed: provider StubbornProvider blocks the main actor")
            process.signal(SIGTERM)
            try await subscriber.waitFor(topic: "stop/bridge/state", payload: "offline", within: .seconds(5))
            #expect(try await process.end(within: .seconds(5)) == 0)
        }
    }
}
