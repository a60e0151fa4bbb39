import Foundation
import TestSupport
import Testing

/// What the commands say when nobody answers, or somebody answers oddly; and where they look for the broker.
@Suite(.broker, .timeLimit(.minutes(3)), .enabled(if: Broker.isAvailable)) struct NoAnswerTests {
    @Test(arguments: ["list", "healthcheck", "watch"])
    func `without a broker it is 3`(_ command: String) async throws {
        let port = try Broker.freePort()
        let (status, lines) = try await Program.settings2mqtt.run([command, "--server", "mqtt://127.0.0.1:\(port)"])
        #expect(status == 3)
        #expect(lines == ["settings2mqtt: nobody listens at 127.0.0.1:\(port) (connection refused)"])
    }

    @Test func `where no bridge ever was it is 3`() async throws {
        let broker = try #require(Broker.ofSuite)
        let server = "mqtt://127.0.0.1:\(broker.port)"
        let (status, lines) = try await Program.settings2mqtt.run(
            ["get", "hallway", "--server", server, "--base-topic", "nowhere"])
        #expect(status == 3)
        #expect(
            lines == [
                "settings2mqtt: no bridge has said on nowhere/bridge/state at \(server) that it is there; "
                    + "start it, or name its broker and base topic with -c FILE, --server or --base-topic"
            ])
    }

    @Test func `a broker that is silent is 3 when the time is up`() async throws {
        try await withBroker { broker in
            broker.pause()
            defer { broker.resume() }
            let server = "mqtt://127.0.0.1:\(broker.port)"
            let (status, lines) = try await Program.settings2mqtt.run(
                ["list", "--server", server, "--timeout", "500ms"])
            #expect(status == 3)
            #expect(lines == ["settings2mqtt: there is no connection to \(server) after 0.5 s"])
        }
    }

    @Test func `a bridge that does not answer is 3 when the time is up; answers to others are none`() async throws {
        let standIn = try await BridgeStandIn(#require(Broker.ofSuite), base: "silent")
        let process = try standIn.start("list", "--timeout", "5s")
        _ = try await standIn.request("list")
        try await standIn.answer("list", #""status":"ok","data":{}"#, transaction: "another")
        try await standIn.broker.publish(topic: "silent/bridge/response/list", payload: "{")
        #expect(try await process.end() == 3)
        #expect(
            process.lines == [
                "settings2mqtt: the bridge has not answered on silent/bridge/response/list within 5 s; what was asked for "
                    + "may still be done; see its log, "
                    + "or allow it more time with --timeout"
            ])
    }

    @Test func `a bridge that goes offline instead of answering is 3`() async throws {
        let standIn = try await BridgeStandIn(#require(Broker.ofSuite), base: "leaving")
        let process = try standIn.start("set", "hallway", "eco", "ON")
        _ = try await standIn.request("set")
        try await standIn.broker.publish(topic: "leaving/bridge/state", payload: "offline", retain: true)
        #expect(try await process.end() == 3)
        #expect(process.lines.first?.contains("the bridge is offline") == true)
    }

    @Test func `a change that was overtaken is 1`() async throws {
        let standIn = try await BridgeStandIn(#require(Broker.ofSuite), base: "late")
        let process = try standIn.start("set", "hallway", "eco=ON", "note=a=b")
        let (text, transaction) = try await standIn.request("set")
        #expect(
            text == #"{"accessory":"hallway","changes":{"eco":"ON","note":"a=b"},"transaction":"\#(transaction)"}"#)
        #expect(UUID(uuidString: transaction) != nil)
        try await standIn.answer(
            "set", #""status":"superseded","data":{"accessory":"hallway"}"#, transaction: transaction)
        #expect(try await process.end() == 1)
        #expect(
            process.lines == [
                "settings2mqtt: hallway: superseded: a newer change came before this one was written"
            ])
    }

    @Test func `a bridge that is not well is 1`() async throws {
        let standIn = try await BridgeStandIn(#require(Broker.ofSuite), base: "ill")
        let process = try standIn.start("healthcheck", "--timeout", "30s")
        let (_, transaction) = try await standIn.request("health_check")
        try await standIn.answer(
            "health_check", #""status":"ok","data":{"healthy":false}"#, transaction: transaction)
        #expect(try await process.end() == 1)
        #expect(process.lines == ["not healthy: ill at mqtt://127.0.0.1:\(standIn.broker.port)"])
    }

    @Test func `what devices say can't steer the terminal`() async throws {
        let standIn = try await BridgeStandIn(#require(Broker.ofSuite), base: "escape")
        let process = try standIn.start("get", "a", "note")
        let (_, transaction) = try await standIn.request("get")
        try await standIn.answer(
            "get", #""status":"ok","data":{"settings":{"note":"x\u001b[31m\ny"}}"#, transaction: transaction)
        #expect(try await process.end() == 0)
        #expect(process.lines == [#"x\u{1B}[31m\ny"#])
    }

    // MARK: Where the broker is

    @Test func `only the mqtt part of the configuration matters, and the environment comes before it`() async throws {
        let standIn = try await BridgeStandIn(#require(Broker.ofSuite), base: "part")
        let text = """
            { "mqtt": { "server": "mqtt://127.0.0.1:1", "base_topic": "part" }, "nonsense": true,
              "accessories": [{ "id": "x", "provider": { "type": "http", "token": { "env": "NOBODY_HAS_THIS" } } }] }
            """
        try await withConfiguration(text) { path in
            let server = "SETTINGS2MQTT_MQTT_SERVER=mqtt://127.0.0.1:\(standIn.broker.port)"
            let process = try ChildProcess(
                "env", [server, Program.settings2mqtt.path, "healthcheck", "--timeout", "30s", "--config", path])
            let (_, transaction) = try await standIn.request("health_check")
            try await standIn.answer(
                "health_check", #""status":"ok","data":{"healthy":true}"#, transaction: transaction)
            #expect(try await process.end() == 0)
        }
    }

    @Test(.enabled(if: !FileManager.default.fileExists(atPath: "/etc/settings2mqtt/settings2mqtt.json")))
    func `without anything that names the broker it is 2`() async throws {
        try await withFolder { folder in
            let (status, lines) = try await Program.settings2mqtt.run(["list"], in: folder)
            #expect(status == 2)
            #expect(
                lines.first == "settings2mqtt: there is no configuration: neither settings2mqtt.json nor "
                    + "/etc/settings2mqtt/settings2mqtt.json exists; name one with -c FILE, or the broker with --server"
            )
        }
    }

    @Test func `with the broker's address there need be no file, and none is looked for`() async throws {
        let port = try Broker.freePort()
        let nobody = ["settings2mqtt: nobody listens at 127.0.0.1:\(port) (connection refused)"]
        try await withFolder { folder in
            let process = try ChildProcess(
                "env",
                [
                    "-C", folder.path, "SETTINGS2MQTT_MQTT_SERVER=mqtt://127.0.0.1:\(port)",
                    Program.settings2mqtt.path, "list",
                ])
            #expect(try await process.end() == 3)
            #expect(process.lines == nobody)
            try Data("{ it is broken".utf8).write(to: folder.appending(path: "settings2mqtt.json"))
            let arguments = ["list", "--server", "mqtt://127.0.0.1:\(port)"]
            #expect(try await Program.settings2mqtt.run(arguments, in: folder) == (3, nobody))
            let (status, lines) = try await Program.settings2mqtt.run(["list"], in: folder)
            #expect(status == 2)
            #expect(lines.first?.hasPrefix("settings2mqtt.json:1:") == true)
        }
    }

    @Test func `a configuration that is not there is 2, with --server too`() async throws {
        let arguments = ["list", "-c", "/nowhere/x.json", "--server", "mqtt://127.0.0.1:1"]
        #expect(
            try await Program.settings2mqtt.run(arguments)
                == (2, ["/nowhere/x.json: can't be read: No such file or directory"]))
    }

    @Test func `faults of options are 2 and name the option`() async throws {
        let arguments = ["list", "--server", "localhost", "--ca", "/nowhere/ca.pem"]
        #expect(
            try await Program.settings2mqtt.run(arguments) == (
                2,
                [
                    "--server: must begin with mqtt:// or mqtts://, as in mqtt://localhost:1883",
                    "--ca: /nowhere/ca.pem can't be read: No such file or directory",
                ]
            ))
    }
}
