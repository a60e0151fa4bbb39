import Foundation
import TestSupport
import Testing

/// `settings2mqtt run`
@Suite(.timeLimit(.minutes(3)), .enabled(if: Broker.isAvailable)) struct RunTests {
    @Test("O26: without a broker the bridge stays, and connects when there is one")
    func brokerComesLater() async throws {
        try await withBroker { broker in
            broker.stop()
            try await withConfiguration(thermostat(port: broker.port)) { path in
                let bridge = try Program.settings2mqtt.start(["run", "-c", path])
                try await bridge.waitForLine("connection refused")
                #expect(!bridge.hasEnded)
                try await broker.start()
                let subscriber = try await Subscriber(to: ["settings2mqtt/#"], on: broker)
                try await subscriber.waitFor(
                    topic: "settings2mqtt/bridge/state", payload: "online", within: .seconds(60))
                #expect(!subscriber.messages(on: "settings2mqtt/hallway/target_temp").isEmpty)
            }
        }
    }

    @Test(
        "O26: without a broker a signal ends the bridge with 0 within 5 s",
        arguments: [SIGTERM, SIGINT]) func stopWithoutBroker(_ signal: Int32) async throws
    {
        try await withConfiguration(thermostat(port: Broker.freePort())) { path in
            let bridge = try Program.settings2mqtt.start(["run", "-c", path])
            try await bridge.waitForLine("connection refused")
            bridge.signal(signal)
            #expect(try await bridge.end(within: .seconds(5)) == 0)
        }
    }

    @Test func `a set reaches the device and its state comes back`() async throws {
        try await withBroker { broker in
            try await withConfiguration(thermostat(port: broker.port)) { path in
                let bridge = try Program.settings2mqtt.start(["run", "-c", path])
                let subscriber = try await Subscriber(to: ["settings2mqtt/#"], on: broker)
                try await subscriber.waitFor(topic: "settings2mqtt/bridge/state", payload: "online")
                try await broker.publish(topic: "settings2mqtt/hallway/target_temp/set", payload: "21.5")
                try await subscriber.waitFor(topic: "settings2mqtt/hallway/target_temp", payload: "21.5")
                #expect(!bridge.hasEnded)
            }
        }
    }

    @Test func `a second bridge on the same base topic exits with 1 and names the first`() async throws {
        try await withBroker { broker in
            try await withConfiguration(thermostat(port: broker.port)) { path in
                let first = try Program.settings2mqtt.start(["run", "-c", path])
                let subscriber = try await Subscriber(to: ["settings2mqtt/bridge/state"], on: broker)
                try await subscriber.waitFor(topic: "settings2mqtt/bridge/state", payload: "online")
                let other = thermostat(port: broker.port, mqtt: "\"client_id\": \"other\",")
                try await withConfiguration(other) { path in
                    let (status, lines) = try await Program.settings2mqtt.run(["run", "-c", path])
                    #expect(status == 1)
                    #expect(lines.last?.contains("client id 'settings2mqtt'") == true)
                }
                #expect(!first.hasEnded)
                #expect(subscriber.messages.map(\.text) == ["online"])
            }
        }
    }

    @Test func `a log in JSON is one object on each line`() async throws {
        let text = thermostat(port: 1, more: #""log": { "format": "json", "level": "debug" },"#)
        try await withConfiguration(text) { path in
            let bridge = try Program.settings2mqtt.start(["run", "-c", path])
            try await bridge.waitForLine("connection refused")
            bridge.signal(SIGTERM)
            #expect(try await bridge.end(within: .seconds(5)) == 0)
            for line in bridge.lines {
                let object = try JSONDecoder().decode([String: String].self, from: Data(line.utf8))
                #expect(Set(object.keys) == ["time", "level", "source", "message"])
            }
        }
    }

    @Test("O10: the password is in no line of the log and on no topic")
    func password() async throws {
        let password = "S3cret-Pa55-42"
        let configuration = "password_file {directory}/passwords\nacl_file {directory}/acl"
        func prepare(_ directory: URL) async throws {
            let everything = "topic readwrite #\n"
            try Data("\(everything)user bridge\n\(everything)".utf8).write(to: directory.appending(path: "acl"))
            try await run(
                "mosquitto_passwd", ["-b", "-c", directory.appending(path: "passwords").path, "bridge", password])
        }
        try await withBroker(configuration: configuration, prepare: prepare) { broker in
            let text = thermostat(
                port: broker.port, mqtt: #""user": "bridge", "password": "\#(password)","#,
                more: #""log": { "level": "debug" },"#)
            try await withConfiguration(text) { path in
                let bridge = try Program.settings2mqtt.start(["run", "-c", path])
                let subscriber = try await Subscriber(to: ["#"], on: broker)
                try await subscriber.waitFor(topic: "settings2mqtt/bridge/state", payload: "online")
                try await broker.publish(topic: "settings2mqtt/hallway/target_temp/set", payload: "21.5")
                try await subscriber.waitFor(topic: "settings2mqtt/hallway/target_temp", payload: "21.5")
                broker.stop()
                try await broker.start()
                let later = try await Subscriber(to: ["#"], on: broker)
                try await later.waitFor(topic: "settings2mqtt/bridge/state", payload: "online", within: .seconds(30))
                bridge.signal(SIGTERM)
                #expect(try await bridge.end(within: .seconds(5)) == 0)
                #expect(broker.log.contains { $0.contains("u'bridge'") }, "the account was used")
                #expect(!bridge.lines.contains { $0.contains("S3cret") })
                #expect(!(subscriber.messages + later.messages).contains { $0.text.contains("S3cret") })
            }
        }
    }
}
