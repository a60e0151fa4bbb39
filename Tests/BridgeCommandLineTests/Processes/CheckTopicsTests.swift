import Foundation
import TestSupport
import Testing

/// `settings2mqtt check --topics`
@Suite(.timeLimit(.minutes(2))) struct CheckTopicsTests {
    @Test(.enabled(if: Broker.isAvailable))
    func `it prints the retained messages that the bridge publishes at start`() async throws {
        try await withBroker { broker in
            try await withConfiguration(thermostat(port: broker.port)) { path in
                let (status, lines) = try await Program.settings2mqtt.run(["check", "-c", path, "--topics"])
                #expect(status == 0)

                let bridge = try Program.settings2mqtt.start(["run", "-c", path])
                let subscriber = try await Subscriber(to: ["settings2mqtt/#"], on: broker)
                try await subscriber.waitFor(topic: "settings2mqtt/hallway/availability", payload: "online")
                try await subscriber.waitFor(topic: "settings2mqtt/bridge/state", payload: "online")
                let later = try await Subscriber(to: ["settings2mqtt/#", "homeassistant/#"], on: broker)
                // The empty text is a zero-length payload, which the broker does not keep.
                let expected = lines.filter { $0 != "settings2mqtt/hallway/display_name" }.map(Self.lasting)
                try await waitUntil("all retained messages; there are \(later.messages.count)") {
                    later.messages.filter(\.isRetained).count >= expected.count
                }
                // Health comes again when the accessory has gone online; that one is not a retained copy.
                let retained = later.messages.filter(\.isRetained).map { Self.lasting("\($0.topic) \($0.text)") }
                #expect(retained.sorted() == expected.sorted())
                #expect(!bridge.hasEnded)
            }
        }
    }

    /// What is the same at every start: `info` and `health` hold times and counters.
    private static func lasting(_ line: String) -> String {
        line.contains("/bridge/info ") || line.contains("/bridge/health ") ? topic(of: line) : line
    }

    private static func topic(of line: String) -> String {
        String(line.prefix { $0 != " " })
    }

    @Test func `one line for each topic, empty payloads with nothing behind it`() async throws {
        try await withConfiguration(thermostat(port: 1)) { path in
            let (_, lines) = try await Program.settings2mqtt.run(["check", "-c", path, "--topics"])
            for line in [
                "settings2mqtt/hallway/eco OFF", "settings2mqtt/hallway/target_temp 20",
                "settings2mqtt/hallway/display_name", "settings2mqtt/hallway/humidity 45 %",
                "settings2mqtt/hallway/fan_timer/availability offline",
                "settings2mqtt/hallway/boost_minutes/availability online", "settings2mqtt/hallway/availability online",
            ] {
                #expect(lines.contains(line))
            }
            #expect(lines.last == "settings2mqtt/bridge/state online")
            #expect(Set(lines.map(Self.topic)).count == lines.count)
        }
    }

    @Test(arguments: [
        (
            #""failure_rate": 1,"#, "10s",
            "hallway: can't be read: the simulated device failed, as its failure_rate asks for"
        ),
        (#""delay": "1h","#, "100ms", "hallway: can't be read: no answer within 100 ms"),
    ])
    func `an accessory that can't be read is offline and gives exit code 1`(
        _ provider: String, _ timeout: String, _ sentence: String
    ) async throws {
        let text = thermostat(port: 1, provider: provider, more: "\"timeout\": \"\(timeout)\",")
        try await withConfiguration(text) { path in
            let (status, lines) = try await Program.settings2mqtt.run(["check", "-c", path, "--topics"])
            #expect(status == 1)
            #expect(lines.contains("settings2mqtt/hallway/availability offline"))
            #expect(lines.contains("settings2mqtt: \(sentence)"))
        }
    }
}
