import Foundation
import TestSupport
import Testing

/// `list`, `get`, `set` and `healthcheck` with a bridge that runs.
@Suite(.broker, .timeLimit(.minutes(3)), .enabled(if: Broker.isAvailable)) struct TalkingTests {
    /// Both versions of MQTT, each with a base topic of its own.
    private func withBridges(_ base: String, _ body: (RunningBridge) async throws -> Void) async throws {
        let broker = try #require(Broker.ofSuite)
        for version in ["5", "3.1.1"] {
            try await withRunningBridge(broker, base: "\(base)/\(version)", version: version) { bridge in
                try await body(bridge)
                let accepted = version == "5" ? "(p5" : "(p2"
                #expect(
                    bridge.broker.log.contains { $0.contains("settings2mqtt-cli-") && $0.contains(accepted) },
                    "the command spoke MQTT \(version)")
            }
        }
    }

    @Test func `list shows every setting with its value and what it takes`() async throws {
        try await withBridges("list") { bridge in
            let (status, lines) = try await bridge.ask("list")
            #expect(status == 0)
            let rows = lines.map { $0.split(separator: " ").map(String.init) }
            #expect(rows.first == ["ACCESSORY", "SETTING", "VALUE", "TAKES", "STATE"])
            #expect(rows[1] == ["hallway", "eco", "OFF", "ON,", "OFF"])
            #expect(rows[2] == ["hallway", "target_temp", "20", "5", "to", "30", "°C", "in", "steps", "of", "0.5"])
            #expect(rows.contains { $0.prefix(2) == ["hallway", "fan_timer"] && $0.last == "hidden" })
            #expect(rows.last == ["vent", "offset", "3", "-20", "to", "20"])

            let one = try await bridge.ask("list", "vent")
            #expect(one.status == 0)
            #expect(one.lines.count == 2)
            let json = try await bridge.ask("list", "vent", "--json")
            #expect(json.status == 0)
            #expect(json.lines.count == 1)
            #expect(json.lines[0].hasPrefix(#"{"accessories":[{"accessory":{"id":"vent","#))
            #expect(json.lines[0].contains(#""values":{"offset":3}"#))
        }
    }

    @Test func `get reads anew and prints values as on their topics`() async throws {
        try await withBridges("get") { bridge in
            #expect(try await bridge.ask("get", "hallway", "eco") == (0, ["OFF"]))
            #expect(try await bridge.ask("get", "hallway", "target_temp") == (0, ["20"]))
            #expect(try await bridge.ask("get", "hallway", "fan_speed") == (0, ["auto"]))
            #expect(try await bridge.ask("get", "vent") == (0, ["offset  3"]))
            let json = try await bridge.ask("get", "hallway", "eco", "--json")
            #expect(json == (0, [#"{"accessory":"hallway","settings":{"eco":false}}"#]))
            #expect(try await bridge.ask("set", "hallway", "eco", "ON").status == 0)
            let gone = try await bridge.ask("get", "hallway", "humidity")
            #expect(gone == (1, ["settings2mqtt: hallway: humidity can't be read"]))
        }
    }

    @Test func `set prints what was read back`() async throws {
        try await withBridges("set") { bridge in
            #expect(try await bridge.ask("set", "hallway", "target_temp", "21.5") == (0, ["hallway target_temp 21.5"]))
            #expect(try await bridge.ask("set", "hallway", "target_temp", "21.74") == (0, ["hallway target_temp 21.5"]))
            #expect(try await bridge.ask("set", "vent", "offset", "-12") == (0, ["vent offset -12"]))
            #expect(try await bridge.ask("set", "hallway", "eco", "toggle") == (0, ["hallway eco ON"]))
            let text = " a = \"b\", \\ü "
            #expect(
                try await bridge.ask("set", "hallway", "display_name", text) == (0, ["hallway display_name \(text)"]))
            #expect(try await bridge.ask("get", "hallway", "display_name") == (0, [text]))
            #expect(try await bridge.ask("set", "hallway", "display_name", "") == (0, ["hallway display_name "]))
            let json = try await bridge.ask("set", "vent", "offset", "5", "--json")
            #expect(json == (0, [#"{"accessory":"vent","settings":{"offset":5}}"#]))
        }
    }

    @Test func `several settings are one change`() async throws {
        try await withBridges("several") { bridge in
            let (status, lines) = try await bridge.ask("set", "hallway", "fan_speed=high", "eco=ON", "target_temp=19")
            #expect(status == 0)
            #expect(Set(lines) == ["hallway eco ON", "hallway target_temp 19", "hallway fan_speed high"])
            let answers = try await Subscriber(to: ["\(bridge.base)/bridge/response/health_check"], on: bridge.broker)
            try await bridge.broker.publish(topic: "\(bridge.base)/bridge/request/health_check", payload: "")
            let health = try await answers.waitFor(topic: "\(bridge.base)/bridge/response/health_check").text
            let hallway = try #require(health.firstMatch(of: #/"hallway":\{[^}]*\}/#)).output
            #expect(hallway.contains(#""writes":1,"#))
        }
    }

    @Test func `a refusal is one sentence, and nothing is written`() async throws {
        try await withBridges("refusals") { bridge in
            #expect(
                try await bridge.ask("set", "hallway", "target_temp", "-12")
                    == (1, ["settings2mqtt: hallway: target_temp takes 5 to 30 °C in steps of 0.5; got -12"]))
            let several = try await bridge.ask("set", "hallway", "eco=ON", "target_temp=99", "nope=1")
            #expect(
                several == (
                    1,
                    [
                        "settings2mqtt: hallway: target_temp takes 5 to 30 °C in steps of 0.5; got 99; "
                            + "there is no setting nope"
                    ]
                ))
            #expect(try await bridge.ask("get", "hallway", "eco") == (0, ["OFF"]))
            #expect(
                try await bridge.ask("get", "hallway", "nope")
                    == (1, ["settings2mqtt: hallway: there is no setting nope"]))
            let unknown = (Int32(1), ["settings2mqtt: attic: there is no accessory of this name"])
            #expect(try await bridge.ask("get", "attic") == unknown)
            #expect(try await bridge.ask("list", "attic") == unknown)
            #expect(try await bridge.ask("set", "attic", "eco", "ON") == unknown)
        }
    }

    @Test func `healthcheck is 0 while the bridge is online, 3 afterwards`() async throws {
        try await withBridges("health") { bridge in
            let server = "mqtt://127.0.0.1:\(bridge.broker.port)"
            #expect(
                try await bridge.ask("healthcheck")
                    == (0, ["online: \(bridge.base) at \(server); 2 of 2 accessories online"]))
            try await bridge.stop()
            let offline = [
                "settings2mqtt: the bridge is offline: \(bridge.base)/bridge/state at \(server) says so; start it first"
            ]
            #expect(try await bridge.ask("healthcheck") == (3, offline))
            #expect(try await bridge.ask("list") == (3, offline))
            #expect(try await bridge.ask("set", "hallway", "eco", "ON") == (3, offline))
        }
    }
}
