import Foundation
import TestSupport
import Testing

/// How signals stop the bridge.
@Suite(.timeLimit(.minutes(2)), .enabled(if: Broker.isAvailable)) struct StopTests {
    @Test("O22: an idle bridge says offline itself and exits with 0 within 5 s", arguments: [SIGTERM, SIGINT])
    func idle(_ signal: Int32) async throws {
        try await withBroker { broker in
            try await withConfiguration(thermostat(port: broker.port)) { path in
                let bridge = try Program.settings2mqtt.start(["run", "-c", path])
                let subscriber = try await Subscriber(to: ["settings2mqtt/bridge/state"], on: broker)
                try await subscriber.waitFor(topic: "settings2mqtt/bridge/state", payload: "online")
                bridge.signal(signal)
                #expect(try await bridge.end(within: .seconds(5)) == 0)
                try await subscriber.waitFor(topic: "settings2mqtt/bridge/state", payload: "offline")
                #expect(subscriber.messages.map(\.text) == ["online", "offline"])
                let later = try await Subscriber(to: ["settings2mqtt/bridge/state"], on: broker)
                let state = try await later.waitFor(topic: "settings2mqtt/bridge/state")
                #expect(state.text == "offline")
                #expect(state.isRetained)
                // A client that says goodbye takes its will with it: offline came from the bridge.
                #expect(broker.log.contains { $0.contains("Received DISCONNECT from settings2mqtt") })
            }
        }
    }

    @Test("O22: a signal during a write of 3 s: its sender is answered, then offline, exit 0 within 5 s")
    func duringWrite() async throws {
        try await withBroker { broker in
            try await withConfiguration(thermostat(port: broker.port, provider: #""delay": "3s","#)) { path in
                let bridge = try Program.settings2mqtt.start(["run", "-c", path])
                let subscriber = try await Subscriber(to: ["settings2mqtt/#"], on: broker)
                try await subscriber.waitFor(topic: "settings2mqtt/hallway/availability", payload: "online")
                try await broker.publish(
                    topic: "settings2mqtt/hallway/target_temp/set",
                    payload: #"{"value": 21.5, "transaction": "t1"}"#)
                // An answered request that was sent later: the write has begun.
                try await broker.publish(topic: "settings2mqtt/bridge/request/nothing", payload: "")
                try await subscriber.waitFor(topic: "settings2mqtt/bridge/response/nothing")
                bridge.signal(SIGTERM)
                #expect(try await bridge.end(within: .seconds(5)) == 0)
                let offline = try await subscriber.waitFor(topic: "settings2mqtt/bridge/state", payload: "offline")
                let answer = try await subscriber.waitFor(topic: "settings2mqtt/bridge/response/set")
                #expect(answer.text.contains(#""transaction":"t1""#))
                let messages = subscriber.messages
                let answered = try #require(messages.firstIndex(of: answer))
                #expect(try answered < #require(messages.lastIndex(of: offline)))
            }
        }
    }

    @Test func `a second signal ends the bridge at once, with 1`() async throws {
        try await withBroker { broker in
            try await withConfiguration(thermostat(port: broker.port, provider: #""delay": "3s","#)) { path in
                let bridge = try Program.settings2mqtt.start(["run", "-c", path])
                let subscriber = try await Subscriber(to: ["settings2mqtt/#"], on: broker)
                try await subscriber.waitFor(topic: "settings2mqtt/hallway/availability", payload: "online")
                try await broker.publish(topic: "settings2mqtt/hallway/target_temp/set", payload: "21.5")
                try await broker.publish(topic: "settings2mqtt/bridge/request/nothing", payload: "")
                try await subscriber.waitFor(topic: "settings2mqtt/bridge/response/nothing")
                bridge.signal(SIGTERM)
                try await bridge.waitForLine("bridge: stopping")
                bridge.signal(SIGINT)
                #expect(try await bridge.end(within: .seconds(5)) == 1)
                #expect(bridge.lines.last?.hasSuffix("a second signal, SIGINT: the bridge ends at once") == true)
                try await subscriber.waitFor(topic: "settings2mqtt/bridge/state", payload: "offline")
            }
        }
    }

    @Test("O22: a broker that does not answer delays the end by no more than 5 s")
    func frozenBroker() async throws {
        try await withBroker { broker in
            try await withConfiguration(thermostat(port: broker.port)) { path in
                let bridge = try Program.settings2mqtt.start(["run", "-c", path])
                let subscriber = try await Subscriber(to: ["settings2mqtt/bridge/state"], on: broker)
                try await subscriber.waitFor(topic: "settings2mqtt/bridge/state", payload: "online")
                broker.pause()
                defer { broker.resume() }
                bridge.signal(SIGTERM)
                #expect(try await bridge.end(within: .seconds(5)) == 0)
            }
        }
    }
}
