import AccessorySettings
import Foundation
import MQTT
import TestSupport
import Testing

@testable import SettingsBridge

/// Tests that stop, pause or restart a broker, each with one of its own.
@Suite("Brokers and bridges that come and go", .timeLimit(.minutes(3))) struct LifeCycleTests {
    @Test("O06: after a broker restart everything retained is back and commands work")
    func o06BrokerRestart() async throws {
        try await withBroker(configuration: "persistence false") { broker in
            try await withBridge(on: broker) { bridge in
                let subscriber = try await bridge.subscriber()
                try await bridge.waitUntilOnline(subscriber)
                let before = try await bridge.retained(below: "\(bridge.base)/#")
                subscriber.stop()
                broker.crash()
                try await waitUntil("the loss to be noticed") {
                    bridge.log.lines.contains { $0.hasPrefix("error mqtt:") }
                }
                try await broker.start()
                let second = try await bridge.subscriber()
                try await second.waitFor(topic: bridge.state, payload: "online", within: .seconds(30))
                let after = try await bridge.retained(below: "\(bridge.base)/#")
                #expect(Set(after.keys) == Set(before.keys))
                try await bridge.set("power", "ON")
                try await second.waitFor(topic: bridge.topic("power"), payload: "ON")
            }
        }
    }

    @Test("O26: without a broker the bridge waits, says so once, and connects when there is one")
    func o26NoBroker() async throws {
        try await withBroker { broker in
            broker.stop()
            try await withBridge(on: broker) { bridge in
                try await waitUntil("the bridge to say that nobody listens") {
                    bridge.log.lines.contains { $0.hasPrefix("error mqtt:") }
                }
                try await broker.start()
                let subscriber = try await bridge.subscriber()
                try await subscriber.waitFor(topic: bridge.state, payload: "online", within: .seconds(60))
                try await subscriber.waitFor(topic: bridge.topic("availability"), payload: "online")
                #expect(bridge.log.lines.filter { $0.contains("nobody listens") }.count == 1, "\(bridge.log.lines)")
            }
        }
    }

    @Test("O09, O34: a frozen broker is noticed; afterwards states and availability are right")
    func o34FrozenBroker() async throws {
        try await withBroker { broker in
            try await withBridge(on: broker, Setup { $0.mqtt.keepalive = 5 }) { bridge in
                let subscriber = try await bridge.subscriber()
                try await bridge.waitUntilOnline(subscriber)
                broker.pause()
                try await waitUntil("the loss to be noticed", within: .seconds(30)) {
                    bridge.log.lines.contains { $0.hasPrefix("error mqtt:") }
                }
                let connected = bridge.log.lines.filter { $0.hasPrefix("info mqtt: connected") }.count
                broker.resume()
                try await waitUntil("a new connection", within: .seconds(60)) {
                    bridge.log.lines.filter { $0.hasPrefix("info mqtt: connected") }.count > connected
                }
                try await waitUntil("the bridge to be online again") {
                    try await bridge.retained(bridge.state) == "online"
                }
                try await bridge.set("power", "ON")
                try await subscriber.waitFor(topic: bridge.topic("power"), payload: "ON")
                #expect(try await bridge.retained(bridge.topic("availability")) == "online")
            }
        }
    }

    @Test("O09: the will and the online message are one topic, both retained")
    func o09WillAndOnline() async throws {
        try await withBroker { broker in
            try await withBridge(on: broker) { bridge in
                let subscriber = try await bridge.subscriber()
                try await bridge.waitUntilOnline(subscriber)
                // Somebody takes the bridge's identity: the broker publishes the will, and the bridge comes back.
                let thief = try await Subscriber(to: ["none"], on: broker, id: bridge.base)
                try await subscriber.waitFor(topic: bridge.state, payload: "offline")
                thief.stop()
                try await waitUntil("the bridge to be online again", within: .seconds(30)) {
                    try await bridge.retained(bridge.state) == "online"
                }
                try await bridge.set("power", "ON")
                try await subscriber.waitFor(topic: bridge.topic("power"), payload: "ON")
            }
        }
    }

    @Test func aBridgeThatMayNotReadBackItsMarkerSaysSo() async throws {
        func writeRights(in folder: URL) throws {
            try Data("topic read #\ntopic write test/#\n".utf8).write(to: folder.appendingPathComponent("acl"))
        }
        try await withBroker(configuration: "acl_file {directory}/acl", prepare: writeRights) { broker in
            try await withBridge(on: broker, base: "house") { bridge in
                try await waitUntil("the bridge to say what it lacks", within: .seconds(20)) {
                    bridge.log.lines.contains {
                        $0.contains("does not return what is published on house/bridge/sweep/")
                    }
                }
                try Data("topic readwrite #\n".utf8).write(to: broker.directory.appendingPathComponent("acl"))
                broker.reload()
                try await waitUntil("the end of that", within: .seconds(30)) {
                    bridge.log.lines.contains("info mqtt: what earlier runs published could be read now")
                }
            }
        }
    }

    @Test func whatIsTooLargeForTheBrokerIsNamedOnceAndWhenItNoLongerIs() async throws {
        try await withBroker(configuration: "max_packet_size 6000") { broker in
            let setup = Setup { $0.homeAssistant.isEnabled = false }
            try await withBridge(on: broker, setup) { bridge in
                let subscriber = try await bridge.subscriber()
                try await bridge.waitUntilOnline(subscriber)
                let topic = bridge.topic("display_text")
                for length in [7_000, 7_001, 3, 4] {
                    let text = String(repeating: "x", count: length)
                    await bridge.device.changeByItself { $0.displayText = text }
                    try await waitUntil("the text of \(length) to be read") {
                        await bridge.bridge.sessions[BridgeFixture.accessory]?.snapshot?["display_text"]?.value
                            == .text(text)
                    }
                }
                try await subscriber.waitFor(topic: topic, payload: "xxxx")
                #expect(
                    bridge.log.lines.filter { $0.contains(topic) } == [
                        "error mqtt: \(topic) can't be published: the message for '\(topic)' is too large: "
                            + "the broker takes packets up to 6000 bytes",
                        "info mqtt: \(topic) can be published again",
                    ])
            }
        }
    }

    @Test func aStopThatTheBrokerDoesNotHearLeavesTheWillToSpeak() async throws {
        try await withBroker { broker in
            try await withBridge(on: broker) { bridge in
                let subscriber = try await bridge.subscriber()
                try await bridge.waitUntilOnline(subscriber)
                broker.pause()
                await bridge.bridge.stop(within: .zero)
                broker.resume()
                try await subscriber.waitFor(topic: bridge.state, payload: "offline")
                #expect(try await bridge.retained(bridge.state) == "offline")
            }
        }
    }

    @Test("O22: a clean stop publishes offline itself and finishes the running write")
    func o22Stop() async throws {
        try await withBroker { broker in
            try await withBridge(on: broker) { bridge in
                let subscriber = try await bridge.subscriber()
                try await bridge.waitUntilOnline(subscriber)
                await MainActor.run { bridge.device.writeDelay = .milliseconds(500) }
                try await bridge.set("target", "25")
                try await waitUntil("the write to run") { await !bridge.device.writes.isEmpty }
                await bridge.bridge.stop()
                try await subscriber.waitFor(topic: bridge.state, payload: "offline")
                #expect(try await bridge.retained(bridge.state) == "offline")
                #expect(try await bridge.retained(bridge.topic("target")) == "25")
                #expect(await bridge.device.target == 25)
            }
        }
    }

    @Test func commandsSentDuringARestartArrive() async throws {
        try await withBroker { broker in
            let device = FakeDevice()
            try await withBridge(on: broker, base: "restart", device: device) { bridge in
                let subscriber = try await bridge.subscriber()
                try await bridge.waitUntilOnline(subscriber)
            }
            try await broker.publish(topic: "restart/lr-thermo/power/set", payload: "ON")
            #expect(await device.writes.isEmpty)
            try await withBridge(on: broker, base: "restart", device: device) { bridge in
                let subscriber = try await bridge.subscriber()
                try await subscriber.waitFor(topic: bridge.topic("power"), payload: "ON", within: .seconds(30))
                #expect(await device.writes.map(\.changes) == [["power": "true"]])
            }
        }
    }

    @Test func commandsSentLongAgoAreGone() async throws {
        try await withBroker { broker in
            let device = FakeDevice()
            let setup = Setup { $0.mqtt.sessionExpiry = .zero }
            try await withBridge(on: broker, base: "gone", setup, device: device) { bridge in
                let subscriber = try await bridge.subscriber()
                try await bridge.waitUntilOnline(subscriber)
            }
            try await broker.publish(topic: "gone/lr-thermo/power/set", payload: "ON")
            try await withBridge(on: broker, base: "gone", setup, device: device) { bridge in
                let subscriber = try await bridge.subscriber()
                try await bridge.waitUntilOnline(subscriber)
                try await bridge.settle(subscriber)
                #expect(await device.writes.isEmpty)
            }
        }
    }
}
