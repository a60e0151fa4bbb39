import Foundation
import TestSupport
import Testing

/// The executable of a Home extension.
@Suite(.timeLimit(.minutes(2))) struct ExtensionTests {
    private let configuration = """
        "accessories": [
          { "id": "hallway", "category": "thermostat" },
          { "id": "lamp", "category": "lightbulb" },
          { "id": "desk_lamp", "category": "lightbulb", "provider": { "type": "simulated", "model": "lamp" } }
        ]
        """

    @Test func `it has the same command line`() async throws {
        let (status, lines) = try await Program.thermostatExtension.run(["check", "--help"])
        #expect(status == 0)
        #expect(lines.contains("Usage: ThermostatExtension check [-c FILE] [--topics] [--probe]"))
    }

    @Test func `accessories without provider are no fault`() async throws {
        try await withConfiguration("{ \(configuration) }") { path in
            let (status, _) = try await Program.thermostatExtension.run(["check", "-c", path])
            #expect(status == 0)
        }
    }

    @Test(.enabled(if: Broker.isAvailable))
    func `it serves what its filters accept, providers serve the rest, nobody is offline`() async throws {
        try await withBroker { broker in
            let text = "{ \"mqtt\": { \"server\": \"mqtt://127.0.0.1:\(broker.port)\" }, \(configuration) }"
            try await withConfiguration(text) { path in
                let bridge = try Program.thermostatExtension.start(["run", "-c", path])
                let subscriber = try await Subscriber(to: ["settings2mqtt/#"], on: broker)
                try await subscriber.waitFor(topic: "settings2mqtt/hallway/availability", payload: "online")
                try await subscriber.waitFor(topic: "settings2mqtt/desk_lamp/availability", payload: "online")
                try await subscriber.waitFor(topic: "settings2mqtt/lamp/availability", payload: "offline")
                try await broker.publish(topic: "settings2mqtt/hallway/eco/set", payload: "ON")
                try await subscriber.waitFor(topic: "settings2mqtt/hallway/eco", payload: "ON")
                try await bridge.waitForLine("lamp: can't be read: no provider accepts this accessory")
                bridge.signal(SIGTERM)
                #expect(try await bridge.end(within: .seconds(5)) == 0)
            }
        }
    }
}
