import AccessorySettings
import Foundation
import TestSupport
import Testing

@testable import SettingsBridge

@Suite("Requests, through a broker", .broker, .timeLimit(.minutes(2))) struct RequestTests {
    private func with(
        _ version: MQTTSettings.Version, _ body: (BridgeFixture, Subscriber) async throws -> Void
    ) async throws {
        try await withBridge(
            Setup { configuration in
                configuration.mqtt.version = version
                configuration.timeout = .milliseconds(300)
            }
        ) { bridge in
            // Not the requests themselves, one of which is long.
            let filters = ["bridge/response/#", "bridge/state", "lr-thermo/#"].map { "\(bridge.base)/\($0)" }
            let subscriber = try await Subscriber(to: filters, on: bridge.broker)
            defer { subscriber.stop() }
            try await bridge.waitUntilOnline(subscriber)
            try await body(bridge, subscriber)
        }
    }

    private static let ok = JSONValue.string("ok")

    @Test(arguments: [MQTTSettings.Version.v5, .v311])
    func everyVerbIsAnswered(_ version: MQTTSettings.Version) async throws {
        try await with(version) { bridge, subscriber in
            let info = try await bridge.request("info", "", subscriber)
            #expect(info["status"] == Self.ok)
            #expect(info["data"]?["client_id"] == .string(bridge.base))
            #expect(info["data"]?["mqtt"]?["version"] == .string(version.rawValue))

            let list = try await bridge.request("list", "", subscriber)
            guard case .array(let accessories)? = list["data"]?["accessories"] else {
                Issue.record("no accessories in \(list)")
                return
            }
            let thermostat = try #require(accessories.first)
            #expect(accessories.count == 1)
            #expect(thermostat["accessory"]?["id"] == "lr-thermo")
            #expect(thermostat["accessory"]?["name"] == "Living Room")
            #expect(thermostat["online"] == .bool(true))
            #expect(thermostat["values"]?["target"] == .integer(21))
            #expect(thermostat["values"]?["mode"] == "heat")
            guard case .array(let settings)? = thermostat["settings"] else {
                Issue.record("no settings in \(thermostat)")
                return
            }
            #expect(
                settings.map { $0["id"] }
                    == ["power", "target", "interval", "gain", "mode", "display_text", "current"])
            #expect(settings[1]["max"] == .integer(30))
            #expect(try await bridge.request("list", #""accessory": "lr-thermo""#, subscriber)["data"] == list["data"])

            await MainActor.run { bridge.device.power = true }
            let get = try await bridge.request("get", #""accessory": "lr-thermo", "setting": "power""#, subscriber)
            #expect(get["data"] == .object(["accessory": "lr-thermo", "settings": .object(["power": .bool(true)])]))

            let set = try await bridge.request(
                "set", #""accessory": "lr-thermo", "changes": {"target": "22.4", "mode": "cool"}"#, subscriber)
            #expect(set["status"] == Self.ok)
            #expect(set["data"]?["settings"] == .object(["target": .number(22.5), "mode": "cool"]))
            #expect(await bridge.device.writes.map(\.changes) == [["target": "22.5", "mode": "cool"]])

            let reads = await bridge.device.reads
            for members in ["", #""accessory": "lr-thermo""#] {
                #expect(try await bridge.request("refresh", members, subscriber)["status"] == Self.ok)
            }
            try await waitUntil("the readings") { await bridge.device.reads >= reads + 1 }

            let health = try await bridge.request("health_check", "", subscriber)["data"]
            #expect(health?["healthy"] == .bool(true))
            #expect(health?["accessories"]?["lr-thermo"]?["online"] == .bool(true))

            #expect(try await bridge.request("log_level", "", subscriber)["data"]?["level"] == "info")
            #expect(
                try await bridge.request("log_level", #""level": "debug""#, subscriber)["data"]?["level"] == "debug")

            let reload = try await bridge.request("reload", "", subscriber)
            #expect(
                reload["data"]
                    == .object([
                        "added": .array([]), "changed": .array([]), "removed": .array([]), "reconnects": .bool(false),
                    ]))
            #expect(try await bridge.request("log_level", "", subscriber)["data"]?["level"] == "info")
        }
    }

    @Test(arguments: [MQTTSettings.Version.v5, .v311])
    func everyRefusalHasItsCode(_ version: MQTTSettings.Version) async throws {
        try await with(version) { bridge, subscriber in
            await MainActor.run {
                bridge.device.isEnabled = false
                bridge.device.isHidden = true
            }
            _ = try await bridge.request("get", #""accessory": "lr-thermo""#, subscriber)
            func code(_ verb: String, _ members: String) async throws -> JSONValue? {
                let answer = try await bridge.request(verb, members, subscriber)
                #expect(answer["status"] == "error")
                return answer["error"]?["code"]
            }
            func set(_ changes: String) async throws -> JSONValue? {
                try await code("set", #""accessory": "lr-thermo", "changes": \#(changes)"#)
            }
            #expect(try await code("nonsense", "") == "unknown_request")
            #expect(try await code("info", #""accessory": "lr-thermo""#) == "invalid_payload")
            #expect(try await code("get", "") == "invalid_payload")
            #expect(try await code("get", #""accessory": 7"#) == "invalid_payload")
            #expect(try await code("log_level", #""level": "loud""#) == "invalid_payload")
            #expect(try await code("set", #""accessory": "lr-thermo""#) == "invalid_payload")
            #expect(try await set("{}") == "invalid_payload")
            for verb in ["get", "list", "refresh"] {
                #expect(try await code(verb, #""accessory": "nobody""#) == "unknown_accessory")
            }
            #expect(try await code("set", #""accessory": "nobody", "changes": {"a": 1}"#) == "unknown_accessory")
            #expect(try await code("get", #""accessory": "lr-thermo", "setting": "x""#) == "unknown_setting")
            #expect(try await set(#"{"x": 1}"#) == "unknown_setting")
            #expect(try await set(#"{"current": "1"}"#) == "read_only")
            #expect(try await set(#"{"mode": "heat"}"#) == "disabled")
            #expect(try await set(#"{"gain": 0.5}"#) == "hidden")
            #expect(try await set(#"{"power": "maybe"}"#) == "invalid_payload")
            #expect(try await set(#"{"target": 31}"#) == "out_of_range")
            let long = String(repeating: "x", count: 65_536)
            #expect(try await set(#"{"display_text": "\#(long)"}"#) == "too_long")
            await MainActor.run { bridge.device.isEnabled = true }
            _ = try await bridge.request("get", #""accessory": "lr-thermo""#, subscriber)
            #expect(try await set(#"{"mode": "freeze"}"#) == "not_an_option")
            #expect(await bridge.device.writes.isEmpty)

            await MainActor.run { bridge.device.refusal = "the valve is stuck" }
            #expect(try await set(#"{"target": 25}"#) == "provider_failed")
            await MainActor.run {
                bridge.device.refusal = nil
                bridge.device.holdsWrites = true
            }
            #expect(try await set(#"{"target": 25}"#) == "timeout")
            await bridge.device.letGo()
            await MainActor.run { bridge.device.readingFailure = "unplugged" }
            try await waitUntil("the accessory to be offline") {
                _ = try? await bridge.request("get", #""accessory": "lr-thermo""#, subscriber)
                return subscriber.messages(on: bridge.topic("availability")).last?.text == "offline"
            }
            #expect(try await set(#"{"target": 25}"#) == "accessory_offline")

            bridge.file.spoil(ConfigurationError([ConfigurationFault(file: "s.json", line: 3, message: "is odd")]))
            let reload = try await bridge.request("reload", "", subscriber)
            #expect(reload["error"]?["code"] == "invalid_configuration")
            #expect(reload["error"]?["details"]?.first?["message"] == "s.json:3: is odd")
        }
    }

    @Test func aRequestWithTheRetainFlagIsNotCarriedOut() async throws {
        try await with(.v5) { bridge, subscriber in
            let reads = await bridge.device.reads
            try await bridge.broker.publish(topic: "\(bridge.base)/bridge/request/refresh", payload: "{}", retain: true)
            let answer = try await subscriber.waitFor(topic: "\(bridge.base)/bridge/response/refresh")
            #expect(BridgeFixture.code(answer.payload) == "retained")
            #expect(await bridge.device.reads == reads)
        }
    }

    @Test(arguments: [MQTTSettings.Version.v5, .v311])
    func aNewerRequestSupersedesOneThatWaits(_ version: MQTTSettings.Version) async throws {
        try await with(version) { bridge, subscriber in
            // Their time must not be up before they are let go.
            _ = try await bridge.reload(subscriber) { $0.accessories[0].timeout = .seconds(60) }
            await MainActor.run { bridge.device.holdsWrites = true }
            func set(_ value: Int) async throws {
                try await bridge.broker.publish(
                    topic: "\(bridge.base)/bridge/request/set",
                    payload: #"{"accessory": "lr-thermo", "changes": {"target": \#(value)}, "transaction": \#(value)}"#)
            }
            try await set(23)
            try await waitUntil("the write to begin") { await bridge.device.hasHeldCall }
            try await set(24)
            try await set(25)
            let superseded = try await subscriber.waitFor(topic: bridge.responses)
            await bridge.device.letGo()
            try await waitUntil("all answers") { subscriber.messages(on: bridge.responses).count == 3 }
            #expect(
                superseded.text
                    == #"{"status":"superseded","data":{"accessory":"lr-thermo"},"transaction":24}"#)
            #expect(await bridge.device.writes.map(\.changes) == [["target": "23"], ["target": "25"]])
        }
    }

    @Test(arguments: [MQTTSettings.Version.v5, .v311])
    func tooManyRequestsAreRefused(_ version: MQTTSettings.Version) async throws {
        try await with(version) { bridge, subscriber in
            bridge.file.hold()
            defer { bridge.file.letGo() }
            try await run(
                "mosquitto_pub",
                [
                    "-h", bridge.broker.host, "-p", "\(bridge.broker.port)", "-q", "1", "-t",
                    "\(bridge.base)/bridge/request/reload", "-m", "{}", "--repeat", "101",
                ])
            let responses = "\(bridge.base)/bridge/response/reload"
            let refusal = try await subscriber.waitFor(topic: responses)
            #expect(BridgeFixture.code(refusal.payload) == "busy")
            bridge.file.letGo()
            try await waitUntil("all other answers") { subscriber.messages(on: responses).count == 101 }
            #expect(subscriber.messages(on: responses).dropFirst().allSatisfy { $0.text.contains(#""status":"ok""#) })
        }
    }

    @Test(arguments: [MQTTSettings.Version.v5, .v311])
    func aStopIsAnsweredToThoseWhoWait(_ version: MQTTSettings.Version) async throws {
        try await with(version) { bridge, subscriber in
            await MainActor.run { bridge.device.holdsWrites = true }
            try await bridge.broker.publish(
                topic: "\(bridge.base)/bridge/request/set",
                payload: #"{"accessory": "lr-thermo", "changes": {"target": 25}}"#)
            try await waitUntil("the write to begin") { await bridge.device.hasHeldCall }
            await bridge.bridge.stop(within: .zero)
            try await subscriber.waitFor(topic: bridge.state, payload: "offline")
            #expect(bridge.codes(subscriber) == ["stopping"])
        }
    }

    @Test func aResponseTopicIsUsedUnlessItIsTheBridgesOwn() async throws {
        try await with(.v5) { bridge, subscriber in
            let answers = try await Subscriber(to: ["answers/\(bridge.base)"], on: bridge.broker)
            defer { answers.stop() }
            for topic in ["answers/\(bridge.base)", bridge.topic("target/set"), "a/+", "$SYS/x"] {
                try await run(
                    "mosquitto_pub",
                    [
                        "-h", bridge.broker.host, "-p", "\(bridge.broker.port)", "-V", "5", "-D", "publish",
                        "response-topic", topic, "-D", "publish", "correlation-data", "c7", "-t",
                        "\(bridge.base)/bridge/request/log_level", "-n",
                    ])
            }
            try await waitUntil("the three other answers") {
                subscriber.messages(on: "\(bridge.base)/bridge/response/log_level").count == 3
            }
            try await answers.waitFor(topic: "answers/\(bridge.base)")
            #expect(answers.messages.count == 1)
            #expect(await bridge.device.writes.isEmpty)
        }
    }
}
