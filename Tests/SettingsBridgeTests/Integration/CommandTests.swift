import AccessorySettings
import Foundation
import TestSupport
import Testing

@testable import SettingsBridge

@Suite("Commands, through a broker", .broker, .timeLimit(.minutes(2))) struct CommandTests {
    @Test func everyKindOfSettingIsSetAndComesBack() async throws {
        try await withBridge { bridge in
            let subscriber = try await bridge.subscriber()
            try await bridge.waitUntilOnline(subscriber)
            for (setting, payload, state) in [
                ("power", "ON", "ON"), ("target", "21.5", "21.5"), ("mode", "Cooling", "cool"),
                ("display_text", "Hello there", "Hello there"), ("interval", "30.0", "30"),
            ] {
                try await bridge.set(setting, payload)
                try await subscriber.waitFor(topic: bridge.topic(setting), payload: state)
            }
            let writes = await bridge.device.writes
            #expect(writes.map(\.changes).count == 5)
            #expect(writes.last?.isInteger == ["interval": true])
            #expect(bridge.codes(subscriber).isEmpty)
        }
    }

    @Test("O05: spellings of on and off are understood, the state has one")
    func o05Spellings() async throws {
        try await withBridge { bridge in
            let subscriber = try await bridge.subscriber()
            try await bridge.waitUntilOnline(subscriber)
            for (payload, state) in [
                ("ON", "ON"), ("off", "OFF"), ("True", "ON"), ("FALSE", "OFF"), ("1", "ON"), ("0", "OFF"), ("On", "ON"),
            ] {
                try await bridge.set("power", payload)
                try await waitUntil("\(payload) to become \(state)") {
                    subscriber.messages(on: bridge.topic("power")).last?.text == state
                }
            }
            let writes = await bridge.device.writes.count
            try await bridge.set("power", "2")
            try await bridge.set("power", "onn")
            try await bridge.settle(subscriber)
            #expect(bridge.codes(subscriber) == ["invalid_payload", "invalid_payload"])
            #expect(await bridge.device.writes.count == writes)
            #expect(bridge.log.lines.filter { $0.contains("takes ON, OFF or TOGGLE") }.count == 2)
        }
    }

    @Test("O24: newlines, blanks and quotes around values")
    func o24Blanks() async throws {
        try await withBridge { bridge in
            let subscriber = try await bridge.subscriber()
            try await bridge.waitUntilOnline(subscriber)
            for (setting, payload, state) in [
                ("power", "ON\n", "ON"), ("target", "22\r\n", "22"), ("mode", " cool ", "cool"),
                ("mode", "\"heat\"", "heat"),
                ("power", "\"OFF\"", "OFF"), ("display_text", "two words \n", "two words "),
            ] {
                try await bridge.set(setting, bytes: Array(payload.utf8))
                try await waitUntil("\(setting) to become \(state)") {
                    subscriber.messages(on: bridge.topic(setting)).last?.text == state
                }
            }
        }
    }

    @Test("O25: spellings of numbers; a decimal comma is refused with a hint")
    func o25Numbers() async throws {
        try await withBridge { bridge in
            let subscriber = try await bridge.subscriber()
            try await bridge.waitUntilOnline(subscriber)
            for (payload, state) in [("22", "22"), ("21.0", "21"), ("21.5", "21.5"), ("2.2e1", "22"), ("+23", "23")] {
                try await bridge.set("target", payload)
                try await waitUntil("\(payload) to become \(state)") {
                    subscriber.messages(on: bridge.topic("target")).last?.text == state
                }
            }
            try await bridge.set("target", "21,5")
            try await bridge.set("target", "abc")
            try await bridge.settle(subscriber)
            let answers = subscriber.messages(on: bridge.responses).map(\.text)
            #expect(answers.count == 2)
            #expect(answers.first?.contains("write the decimal point as a point: 21.5") == true)
            #expect(await bridge.device.target == 23)
        }
    }

    @Test("O27: a JSON set is one call with three keys, and one accessory JSON with the final values")
    func o27JSONSet() async throws {
        try await withBridge { bridge in
            let subscriber = try await bridge.subscriber()
            try await bridge.waitUntilOnline(subscriber)
            try await bridge.broker.publish(
                topic: bridge.values + "/set", payload: #"{"mode":"cool","target":24.5,"power":"ON"}"#)
            try await waitUntil("the accessory JSON to follow") {
                subscriber.messages(on: bridge.values).last?.text.contains(#""mode":"cool""#) == true
            }
            let documents = subscriber.messages(on: bridge.values).map(\.text)
            #expect(
                documents.last
                    == #"{"power":true,"target":24.5,"interval":900,"gain":0.5,"mode":"cool","display_text":"","current":"20.5"}"#
            )
            #expect(documents.count == 2, "the first and the final one, no mixture: \(documents)")
            let writes = await bridge.device.writes
            #expect(writes.map(\.changes) == [["mode": "cool", "target": "24.5", "power": "true"]])
        }
    }

    @Test("O33: what the device refuses never shows, the true value comes again, the sender is told")
    func o33Refused() async throws {
        try await withBridge { bridge in
            let subscriber = try await bridge.subscriber()
            try await bridge.waitUntilOnline(subscriber)
            await MainActor.run { bridge.device.refusal = "the valve is stuck" }
            try await bridge.set("target", "25")
            let answer = try await subscriber.waitFor(topic: bridge.responses)
            #expect(answer.text.contains("lr-thermo: target could not be set to 25: the valve is stuck"))
            try await bridge.set("target", "31")
            try await bridge.set("target", "4.5")
            try await bridge.settle(subscriber)
            #expect(bridge.codes(subscriber) == ["provider_failed", "out_of_range", "out_of_range"])
            #expect(subscriber.messages(on: bridge.topic("target")).map(\.text) == ["21", "21", "21", "21"])
            #expect(await bridge.device.writes.map(\.changes) == [["target": "25"]])
        }
    }

    @Test func disabledHiddenUnknownAndReadOnlySettingsAreRefused() async throws {
        let device = FakeDevice()
        await MainActor.run { (device.isEnabled, device.isHidden) = (false, true) }
        try await withBridge(device: device) { bridge in
            let subscriber = try await bridge.subscriber()
            try await bridge.waitUntilOnline(subscriber)
            try await bridge.set("mode", "cool")
            try await bridge.set("gain", "0.1")
            try await bridge.set("nope", "1")
            try await bridge.set("current", "1")
            try await bridge.broker.publish(topic: "\(bridge.base)/attic/power/set", payload: "ON")
            try await bridge.settle(subscriber)
            #expect(
                bridge.codes(subscriber) == ["disabled", "hidden", "unknown_setting", "read_only", "unknown_accessory"])
            #expect(await bridge.device.writes.isEmpty)
            #expect(try await bridge.retained(bridge.topic("mode/availability")) == "offline")
            #expect(try await bridge.retained(bridge.topic("gain/availability")) == "offline")
            #expect(try await bridge.retained(bridge.topic("power/availability")) == "online")
        }
    }

    @Test func theAnswerGoesWhereTheSenderWantsIt() async throws {
        try await withBridge { bridge in
            let subscriber = try await Subscriber(to: ["\(bridge.base)/#", "my/#"], on: bridge.broker)
            try await bridge.waitUntilOnline(subscriber)
            let answerTopic = "my/answers/\(bridge.base)"
            try await bridge.broker.publish(
                topic: bridge.topic("power/set"), payload: "ON",
                properties: ["response-topic \(answerTopic)", "correlation-data 42"])
            let answer = try await subscriber.waitFor(topic: answerTopic)
            #expect(answer.text == #"{"status":"ok","data":{"accessory":"lr-thermo","settings":{"power":true}}}"#)
            // Under the base topic it would let anybody write states: then it goes to the bridge's own.
            try await bridge.broker.publish(
                topic: bridge.topic("power/set"), payload: #"{"value":"x","transaction":5}"#,
                properties: ["response-topic \(bridge.topic("target"))"])
            let refusal = try await subscriber.waitFor(topic: bridge.responses)
            #expect(refusal.text.contains(#""transaction":5"#))
            #expect(BridgeFixture.code(refusal.payload) == "invalid_payload")
            #expect(subscriber.messages(on: bridge.topic("target")).map(\.text) == ["21"])
        }
    }

    @Test func aGetReadsAgainAndPublishes() async throws {
        try await withBridge { bridge in
            let subscriber = try await bridge.subscriber()
            try await bridge.waitUntilOnline(subscriber)
            try await bridge.broker.publish(topic: bridge.topic("target/get"), payload: "")
            try await waitUntil("the value to be published again") {
                subscriber.messages(on: bridge.topic("target")).count == 2
            }
            await MainActor.run { bridge.device.readingFailure = "unplugged" }
            try await bridge.broker.publish(topic: bridge.topic("get"), payload: "")
            let answer = try await subscriber.waitFor(topic: "\(bridge.base)/bridge/response/get")
            #expect(BridgeFixture.code(answer.payload) == "provider_failed")
        }
    }

    @Test("O30: a flood of values to a slow device ends at the last with few writes")
    func o30Flood() async throws {
        try await withBridge { bridge in
            let subscriber = try await bridge.subscriber()
            try await bridge.waitUntilOnline(subscriber)
            await MainActor.run { bridge.device.writeDelay = .milliseconds(100) }
            // A thousand lines of one connection, each a message.
            let file = bridge.broker.directory.appendingPathComponent("flood")
            let lines = (0..<1_000).map { "\(5 + Double($0 % 50) * 0.5)" } + ["30"]
            try lines.joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
            try await run(
                "sh",
                [
                    "-c",
                    "mosquitto_pub -h \(bridge.broker.host) -p \(bridge.broker.port) -q 1 -t \(bridge.topic("target/set")) -l < \(file.path)",
                ])
            try await waitUntil("30 to arrive") { await bridge.device.target == 30 }
            try await subscriber.waitFor(topic: bridge.topic("target"), payload: "30")
            try await bridge.settle(subscriber)
            #expect(subscriber.messages(on: bridge.topic("target")).last?.text == "30")
            #expect(await bridge.device.writes.count <= 20)
        }
    }

    @Test func unknownRequestsAreAnswered() async throws {
        try await withBridge { bridge in
            let subscriber = try await bridge.subscriber()
            try await bridge.waitUntilOnline(subscriber)
            try await bridge.broker.publish(topic: "\(bridge.base)/bridge/request/constructor", payload: "{")
            try await bridge.broker.publish(
                topic: "\(bridge.base)/bridge/request/refresh", payload: #"{"transaction":[1]}"#)
            let unknown = try await subscriber.waitFor(topic: "\(bridge.base)/bridge/response/constructor")
            #expect(BridgeFixture.code(unknown.payload) == "invalid_payload")
            let refresh = try await subscriber.waitFor(topic: "\(bridge.base)/bridge/response/refresh")
            #expect(refresh.text == #"{"status":"ok","data":{},"transaction":[1]}"#)
        }
    }
}
