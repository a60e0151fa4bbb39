import Foundation
import MQTT
import Synchronization
import TestSupport
import Testing

@testable import SettingsBridge

@Suite("Reload under load", .broker, .timeLimit(.minutes(3))) struct ReloadUnderLoadTests {
    @Test func aReloadUnder500SetsPerSecondLosesNone() async throws {
        try await underLoad { bridge, subscriber in
            let changed = try await bridge.reload(subscriber) { configuration in
                configuration.accessories[1].name = "Moved"
                configuration.accessories.append(fakeAccessory("extra", FakeDevice()))
            }
            #expect(changed?["changed"] == .array(["moving"]))
            #expect(changed?["added"] == .array(["extra"]))
            let removed = try await bridge.reload(subscriber) { $0.accessories.removeLast() }
            #expect(removed?["removed"] == .array(["extra"]))
        }
    }

    @Test func aNewConnectionUnder500SetsPerSecondLosesNone() async throws {
        try await underLoad { bridge, subscriber in
            let answer = try await bridge.reload(subscriber) { $0.mqtt.keepalive = 30 }
            #expect(answer?["reconnects"] == .bool(true))
            try await waitUntil("the new connection") {
                subscriber.messages(on: bridge.state).map(\.text) == ["online", "offline", "online"]
            }
        }
    }

    /// Runs the body while two accessories get 250 sets a second each, and looks that none was lost and no state went back.
    private func underLoad(_ body: (BridgeFixture, Subscriber) async throws -> Void) async throws {
        let moving = FakeDevice()
        try await withBridge(Setup { $0.accessories.append(fakeAccessory("moving", moving)) }) { bridge in
            let filters = ["bridge/state", "bridge/response/reload", "+/availability", "+/display_text"]
            let subscriber = try await Subscriber(to: filters.map { "\(bridge.base)/\($0)" }, on: bridge.broker)
            try await bridge.waitUntilOnline(subscriber)
            try await subscriber.waitFor(topic: "\(bridge.base)/moving/availability", payload: "online")
            let sender = Sets(bridge)
            try await sender.start()
            async let load: Void = sender.send(perSecond: 500, count: 2_000)
            try await waitUntil("the load", within: .seconds(60)) { sender.answers.count > 100 }
            try await body(bridge, subscriber)
            try await load
            try await waitUntil("all answers", within: .seconds(60)) { sender.answers.count == 2_000 }
            await sender.stop()
            #expect(sender.answers.failures == [])
            for (device, accessory) in [(bridge.device, BridgeFixture.accessory), (moving, "moving")] {
                try await waitUntil("the last state of \(accessory)") {
                    subscriber.messages(on: "\(bridge.base)/\(accessory)/display_text").last?.text.hasPrefix("1")
                        == true
                }
                let written = await device.writes.compactMap { $0.changes["display_text"] }
                #expect(written == written.sorted())
                #expect(Int(written.last ?? "") == 1_000_999)
                // A value comes again after a new connection; it never goes back.
                let states = subscriber.messages(on: "\(bridge.base)/\(accessory)/display_text").map(\.text)
                    .filter { !$0.isEmpty }
                #expect(states == states.sorted())
                #expect(states.last == "1000999")
            }
        }
    }
}

/// The answers that came, by the mark of what they answer.
private final class Answers: Sendable {
    private let received = Mutex((marks: Set<Int>(), failures: [String]()))

    var count: Int { received.withLock { $0.marks.count } }
    /// Those that tell of a failure, and second ones.
    var failures: [String] { received.withLock { $0.failures } }

    func take(_ payload: [UInt8]) {
        guard case .object(let answer) = try? JSONValue.parse(payload),
            case .integer(let mark)? = answer["transaction"]
        else { return }
        received.withLock { received in
            let isFirst = received.marks.insert(Int(mark)).inserted
            if !isFirst || answer["status"] == "error" {
                received.failures.append(String(decoding: payload, as: UTF8.self))
            }
        }
    }
}

/// Sends sets to two accessories and collects the answers.
private final class Sets: Sendable {
    let answers = Answers()
    private let client: MQTTClient
    private let base: String

    init(_ bridge: BridgeFixture) {
        base = bridge.base
        let answers = answers
        client = MQTTClient(
            MQTTConfiguration(host: bridge.broker.host, port: bridge.broker.port, clientID: "sets-\(bridge.base)")
        ) { message, _ in answers.take(message.payload) }
    }

    func start() async throws {
        let client = client
        Task { await client.run() }
        for await event in client.events {
            if case .connected = event { break }
        }
        try await client.subscribe([MQTTSubscription(filter: "\(base)/bridge/response/set")])
    }

    func send(perSecond rate: Int, count: Int) async throws {
        let start = ContinuousClock.now
        for number in 0..<count {
            try await Task.sleep(until: start + .seconds(number) / rate, clock: .continuous)
            let accessory = number.isMultiple(of: 2) ? BridgeFixture.accessory : "moving"
            let payload = #"{"value": "\#(1_000_000 + number / 2)", "transaction": \#(number)}"#
            let message = MQTTMessage(topic: "\(base)/\(accessory)/display_text/set", payload: payload)
            try await waitUntil("room for set \(number)") { try client.publish(message) == .sent }
        }
    }

    func stop() async { await client.stop() }
}
