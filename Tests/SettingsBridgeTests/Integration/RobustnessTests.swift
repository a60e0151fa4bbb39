import AccessorySettings
import Foundation
import MQTT
import TestSupport
import Testing

@testable import SettingsBridge

@Suite("Bad input and bad providers", .broker, .timeLimit(.minutes(2))) struct RobustnessTests {
    @Test("O07: bad messages are refused whole, the next good one works")
    func o07BadMessages() async throws {
        try await withBridge { bridge in
            let subscriber = try await bridge.subscriber()
            try await bridge.waitUntilOnline(subscriber)
            let bad = [#"{"power":"ON",}"#, "{'power':'OFF'}", #"{"power":"#, "power=ON", "[]", "42"]
            for payload in bad { try await bridge.broker.publish(topic: bridge.topic("set"), payload: payload) }
            for topic in ["set", "power/set", "target/set"] {
                try await bridge.broker.publish(topic: bridge.topic(topic), payload: "")
            }
            try await bridge.broker.publish(topic: bridge.topic("set"), payload: #"{"power":"ON"}"#)
            try await subscriber.waitFor(topic: bridge.topic("power"), payload: "ON")
            #expect(bridge.codes(subscriber) == bad.map { _ in "invalid_payload" })
            #expect(await bridge.device.writes.map(\.changes) == [["power": "true"]])
            #expect(bridge.log.lines.filter { $0.hasPrefix("info mqtt: connected") }.count == 1)
        }
    }

    @Test("O21: bytes that are no UTF-8 are refused with an excerpt")
    func o21NoUTF8() async throws {
        try await withBridge { bridge in
            let subscriber = try await bridge.subscriber()
            try await bridge.waitUntilOnline(subscriber)
            try await bridge.set("mode", bytes: [0xFF, 0xFE, 0x68, 0x65, 0x61, 0x74])
            try await bridge.set("display_text", bytes: [0x63, 0x61, 0x66, 0xE9])
            try await bridge.set("mode", "cool")
            try await subscriber.waitFor(topic: bridge.topic("mode"), payload: "cool")
            #expect(bridge.codes(subscriber) == ["invalid_payload", "invalid_payload"])
            #expect(subscriber.messages(on: bridge.responses).first?.text.contains("ff fe 68 65 61 74") == true)
            #expect(await bridge.device.writes.count == 1)
        }
    }

    @Test func anyBytesOnAnySubscribedTopicLeaveTheBridgeRunning() async throws {
        try await withBridge { bridge in
            let subscriber = try await bridge.subscriber()
            try await bridge.waitUntilOnline(subscriber)
            var random = SystemRandomNumberGenerator()
            let topics = [
                "power/set", "target/set", "mode/set", "set", "get", "power/get", "availability", "settings", "power",
                "%zz/set", "%00/set", "nope/set", "power/availability", "power/other",
            ]
            for round in 0..<40 {
                let bytes = (0..<Int.random(in: 1...200, using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random)
                }
                let topic = topics[round % topics.count]
                let file = bridge.broker.directory.appendingPathComponent("bytes\(round)-\(bridge.base)")
                try Data(bytes).write(to: file)
                try await run(
                    "mosquitto_pub",
                    [
                        "-h", bridge.broker.host, "-p", "\(bridge.broker.port)", "-t", bridge.topic(topic), "-f",
                        file.path,
                    ])
            }
            try await bridge.settle(subscriber)
            try await bridge.set("power", "ON")
            try await subscriber.waitFor(topic: bridge.topic("power"), payload: "ON")
            #expect(await bridge.device.writes.last?.changes == ["power": "true"])
        }
    }

    @Test("O04: a retained command is not carried out; the log says once how to clear it")
    func o04Retained() async throws {
        let broker = try #require(Broker.ofSuite)
        let base = "retained\(UInt32.random(in: 0...UInt32.max))"
        try await broker.publish(topic: "\(base)/lr-thermo/power/set", payload: "ON", retain: true)
        try await withBridge(base: base) { bridge in
            let subscriber = try await bridge.subscriber()
            try await bridge.waitUntilOnline(subscriber)
            try await bridge.settle(subscriber)
            #expect(await bridge.device.writes.isEmpty)
            let warnings = bridge.log.lines.filter { $0.contains("retained command") }
            #expect(warnings.count == 1)
            #expect(warnings.first?.contains("mosquitto_pub -r -n -t '\(base)/lr-thermo/power/set'") == true)
            // Published live with the flag it is recognised and answered.
            try await bridge.set("power", "ON", retain: true)
            let answer = try await subscriber.waitFor(topic: bridge.responses)
            #expect(BridgeFixture.code(answer.payload) == "retained")
            #expect(await bridge.device.writes.isEmpty)
            try await bridge.set("power", "ON")
            try await subscriber.waitFor(topic: bridge.topic("power"), payload: "ON")
            #expect(await bridge.device.writes.count == 1)
        }
    }

    @Test("O04: with MQTT 3.1.1 a retained command is dropped")
    func o04RetainedWith311() async throws {
        let broker = try #require(Broker.ofSuite)
        let base = "retained\(UInt32.random(in: 0...UInt32.max))"
        try await broker.publish(topic: "\(base)/lr-thermo/power/set", payload: "ON", retain: true)
        try await withBridge(base: base, Setup { $0.mqtt.version = .v311 }) { bridge in
            let subscriber = try await bridge.subscriber()
            try await bridge.waitUntilOnline(subscriber)
            try await bridge.settle(subscriber)
            #expect(await bridge.device.writes.isEmpty)
            try await bridge.set("power", "ON")
            try await subscriber.waitFor(topic: bridge.topic("power"), payload: "ON")
            #expect(bridge.log.lines.contains { $0.contains("connected with MQTT 3.1.1") })
        }
    }

    @Test func warningsArePublishedOnTheLogTopic() async throws {
        let broker = try #require(Broker.ofSuite)
        let base = "log\(UInt32.random(in: 0...UInt32.max))"
        try await broker.publish(topic: "\(base)/lr-thermo/power/set", payload: "ON", retain: true)
        let subscriber = try await Subscriber(to: ["\(base)/#"], on: broker)
        try await withBridge(base: base) { bridge in
            try await bridge.waitUntilOnline(subscriber)
            let line = try await subscriber.waitFor(topic: "\(base)/bridge/log")
            guard case .object(let members) = try JSONValue.parse(line.payload) else {
                Issue.record("no object: \(line.text)")
                return
            }
            #expect(members["level"] == .string("warning"))
            #expect(members["source"] == .string("mqtt"))
            #expect(members["time"] != nil)
            #expect(!line.isRetained)
        }
    }

    @Test("O10: the password is in no log line and on no topic")
    func o10Password() async throws {
        try await withBridge(
            Setup {
                $0.mqtt.user = "bridge"
                $0.mqtt.password = Secret("S3cret-Pa55-42")
            }
        ) { bridge in
            let subscriber = try await bridge.subscriber()
            try await bridge.waitUntilOnline(subscriber)
            try await bridge.set("power", "ON")
            try await subscriber.waitFor(topic: bridge.topic("power"), payload: "ON")
            await bridge.bridge.stop()
            #expect(!bridge.log.lines.contains { $0.contains("S3cret") })
            #expect(!subscriber.messages.contains { $0.text.contains("S3cret") })
            #expect(!"\(bridge.configuration)".contains("S3cret"))
        }
    }

    @Test("O32: a slow accessory delays no other")
    func o32Slow() async throws {
        let fast = FakeDevice()
        try await withBridge(
            Setup {
                var other = AccessoryConfiguration(id: "fast")
                other.makeSettings = fast.settings
                $0.accessories.append(other)
                $0.accessories[0].timeout = .seconds(1)
            }
        ) { bridge in
            let subscriber = try await bridge.subscriber()
            try await bridge.waitUntilOnline(subscriber)
            try await subscriber.waitFor(topic: "\(bridge.base)/fast/availability", payload: "online")
            await MainActor.run { bridge.device.holdsWrites = true }
            try await bridge.set("target", "25")
            try await waitUntil("the slow device to be busy") { await bridge.device.hasHeldCall }
            try await bridge.broker.publish(topic: "\(bridge.base)/fast/power/set", payload: "ON")
            try await subscriber.waitFor(topic: "\(bridge.base)/fast/power", payload: "ON")
            #expect(await bridge.device.hasHeldCall)
            let answer = try await subscriber.waitFor(topic: bridge.responses)
            #expect(BridgeFixture.code(answer.payload) == "timeout")
            // Late, but it comes back: the accessory is read again and works.
            await bridge.device.letGo()
            try await subscriber.waitFor(topic: bridge.topic("target"), payload: "25")
            try await bridge.set("target", "26")
            try await subscriber.waitFor(topic: bridge.topic("target"), payload: "26")
        }
    }

    @Test func aSecondBridgeOnTheBaseTopicDoesNotStart() async throws {
        try await withBridge { bridge in
            let subscriber = try await bridge.subscriber()
            try await bridge.waitUntilOnline(subscriber)
            var configuration = bridge.configuration
            configuration.mqtt.clientID = "another"
            let second = Bridge(configuration, log: Log([]))
            await #expect(throws: BridgeError.baseTopicInUse(bridge.base, byClient: bridge.base)) {
                try await second.run()
            }
            #expect(try await bridge.retained(bridge.state) == "online")
        }
    }
}
