import AccessorySettings
import Foundation
import MQTT
import TestSupport
import Testing

@testable import SettingsBridge

@Suite("Reload", .broker, .timeLimit(.minutes(2))) struct ReloadTests {
    @Test func onlyWhatChangedIsTouched() async throws {
        let (other, third) = (FakeDevice(), FakeDevice())
        try await withBridge(Setup { $0.accessories.append(fakeAccessory("other", other)) }) { bridge in
            let subscriber = try await bridge.subscriber()
            let discovery = try await Subscriber(to: ["ha-\(bridge.base)/device/#"], on: bridge.broker)
            try await bridge.waitUntilOnline(subscriber)
            try await subscriber.waitFor(topic: "\(bridge.base)/other/availability", payload: "online")
            let reads = await bridge.device.reads
            let before = bridge.states(subscriber).count

            let added = try await bridge.reload(subscriber) { $0.accessories.append(fakeAccessory("third", third)) }
            #expect(added?["added"] == .array(["third"]))
            try await subscriber.waitFor(topic: "\(bridge.base)/third/target", payload: "21")
            try await subscriber.waitFor(topic: "\(bridge.base)/third/availability", payload: "online")

            let changed = try await bridge.reload(subscriber) { $0.accessories[1].name = "Another" }
            #expect(changed?["changed"] == .array(["other"]))
            try await waitUntil("the new name") {
                subscriber.messages(on: "\(bridge.base)/other/settings").last?.text.contains("Another") == true
            }
            try await waitUntil("the accessory to be back") {
                subscriber.messages(on: "\(bridge.base)/other/availability").map(\.text).suffix(2)
                    == ["offline", "online"]
            }

            let removed = try await bridge.reload(subscriber) { $0.accessories.remove(at: 1) }
            #expect(removed?["removed"] == .array(["other"]))
            try await subscriber.waitFor(topic: "\(bridge.base)/other/settings", payload: "")
            let left = try await bridge.retained(below: "\(bridge.base)/#").keys
            #expect(left.filter { $0.hasPrefix("\(bridge.base)/other") } == [])
            #expect(left.contains("\(bridge.base)/third/target"))
            try await waitUntil("the announcement to be cleared") {
                discovery.messages.contains { $0.payload.isEmpty && $0.topic.contains("_other_") }
            }
            try await bridge.broker.publish(topic: "\(bridge.base)/other/target/set", payload: "22")
            try await waitUntil("the refusal") { bridge.codes(subscriber) == ["unknown_accessory"] }

            #expect(await bridge.device.reads == reads)
            #expect(bridge.states(subscriber).count == before)
            #expect(subscriber.messages(on: bridge.state).map(\.text) == ["online"])
            discovery.stop()
        }
    }

    @Test func aBadConfigurationChangesNothing() async throws {
        try await withBridge { bridge in
            let subscriber = try await bridge.subscriber()
            try await bridge.waitUntilOnline(subscriber)
            let fault = ConfigurationFault(file: "s.json", line: 3, path: "timeout", message: "must be a duration")
            bridge.file.spoil(ConfigurationError([fault, fault]))
            let answer = try await bridge.request("reload", "", subscriber)
            #expect(answer["status"] == "error")
            #expect(
                answer["error"]?["details"]
                    == .array(
                        [JSONValue](
                            repeating: .object([
                                "code": "invalid_configuration", "message": "s.json:3: timeout: must be a duration",
                            ]), count: 2)))
            try await bridge.set("target", "23")
            try await subscriber.waitFor(topic: bridge.topic("target"), payload: "23")
            #expect(bridge.log.lines.filter { $0.contains("s.json:3: timeout: must be a duration") }.count == 2)
        }
    }

    @Test func anotherBaseTopicLeavesNothingOnTheOldOne() async throws {
        try await withBridge { bridge in
            let subscriber = try await bridge.subscriber()
            try await bridge.waitUntilOnline(subscriber)
            let new = "moved-\(bridge.base)"
            let there = try await Subscriber(to: ["\(new)/#"], on: bridge.broker)
            let answer = try await bridge.reload(subscriber) { $0.mqtt.baseTopic = new }
            #expect(answer?["reconnects"] == .bool(true))
            try await there.waitFor(topic: "\(new)/bridge/state", payload: "online")
            try await there.waitFor(topic: "\(new)/lr-thermo/availability", payload: "online")
            #expect(try await bridge.retained(below: "\(bridge.base)/#").isEmpty)
            let announced = try await bridge.retained(below: "ha-\(bridge.base)/device/#")
            #expect(announced.count == 2)
            #expect(announced.values.allSatisfy { $0.contains(new) })
            try await bridge.broker.publish(topic: "\(new)/lr-thermo/target/set", payload: "24")
            try await there.waitFor(topic: "\(new)/lr-thermo/target", payload: "24")
            #expect(await bridge.device.reads == 2)
            there.stop()
        }
    }

    @Test func aChangedAccessoryMovesWithTheBaseTopic() async throws {
        try await withBridge { bridge in
            let subscriber = try await bridge.subscriber()
            try await bridge.waitUntilOnline(subscriber)
            let new = "moved-\(bridge.base)"
            let there = try await Subscriber(to: ["\(new)/#"], on: bridge.broker)
            _ = try await bridge.reload(subscriber) { configuration in
                configuration.mqtt.baseTopic = new
                configuration.accessories[0].name = "Moved"
            }
            try await there.waitFor(topic: "\(new)/bridge/state", payload: "online")
            try await there.waitFor(topic: "\(new)/lr-thermo/availability", payload: "online")
            #expect(try await bridge.retained(below: "\(bridge.base)/#").isEmpty)
            #expect(try await bridge.retained(below: "ha-\(bridge.base)/device/#").count == 2)
            there.stop()
        }
    }

    @Test func aSettingThatAChangedAccessoryLostIsRemovedFromHomeAssistant() async throws {
        try await withBridge { bridge in
            let subscriber = try await bridge.subscriber()
            let discovery = try await Subscriber(to: ["ha-\(bridge.base)/device/#"], on: bridge.broker)
            try await bridge.waitUntilOnline(subscriber)
            let smaller = FakeDevice()
            await MainActor.run { smaller.lacksText = true }
            _ = try await bridge.reload(subscriber) { configuration in
                configuration.accessories[0].name = "Smaller"
                configuration.accessories[0].makeSettings = smaller.settings
            }
            try await subscriber.waitFor(topic: bridge.topic("display_text/availability"), payload: "")
            try await waitUntil("the stub that removes the entity") {
                discovery.messages.contains { message in
                    guard case .object(let device)? = try? JSONValue.parse(message.payload),
                        case .object(let components)? = device["cmps"] ?? device["components"]
                    else { return false }
                    return components.values.contains { component in
                        guard case .object(let fields) = component else { return false }
                        return fields.count == 1 && (fields["p"] ?? fields["platform"]) == "text"
                    }
                }
            }
            discovery.stop()
        }
    }

    @Test func reloadsThatAreAskedForMeanwhileShareOne() async throws {
        try await withBridge { bridge in
            let subscriber = try await bridge.subscriber()
            try await bridge.waitUntilOnline(subscriber)
            let answers = (0..<5).map { "mark-\($0)" }
            for mark in answers {
                try await bridge.broker.publish(
                    topic: "\(bridge.base)/bridge/request/reload", payload: #"{"transaction": "\#(mark)"}"#)
            }
            try await waitUntil("an answer to each") {
                let texts = subscriber.messages(on: "\(bridge.base)/bridge/response/reload").map(\.text)
                return answers.allSatisfy { mark in texts.contains { $0.contains(mark) } }
            }
        }
    }

    /// A subscriber to a bridge that is online and whose device holds on to a write until it is let go.
    private func subscriberDuringAWrite(_ bridge: BridgeFixture) async throws -> Subscriber {
        let subscriber = try await bridge.subscriber()
        try await bridge.waitUntilOnline(subscriber)
        await MainActor.run { bridge.device.holdsWrites = true }
        try await bridge.set("target", #"{"value": 22, "transaction": "running"}"#)
        try await waitUntil("the write") { await bridge.device.hasHeldCall }
        return subscriber
    }

    @Test func aReloadThatComesBeforeTheEndOfTheLastLosesNoCommand() async throws {
        try await withBridge(Setup { $0.accessories[0].timeout = .seconds(60) }) { bridge in
            let subscriber = try await subscriberDuringAWrite(bridge)
            let (second, third) = (FakeDevice(), FakeDevice())
            for (name, device) in [("Second", second), ("Third", third)] {
                _ = try await bridge.reload(subscriber) { configuration in
                    configuration.accessories[0].name = name
                    configuration.accessories[0].makeSettings = device.settings
                }
                try await bridge.set("mode", #"{"value": "cool", "transaction": "\#(name)"}"#)
                try await bridge.broker.publish(
                    topic: bridge.topic("get"), payload: #"{"transaction": "get \#(name)"}"#)
                try await bridge.settle(subscriber)
            }
            await bridge.device.letGo()
            let gets = "\(bridge.base)/bridge/response/get"
            try await waitUntil("all answers") {
                subscriber.messages(on: bridge.responses).count == 3 && subscriber.messages(on: gets).count == 2
            }
            #expect(subscriber.messages(on: gets).allSatisfy { $0.text.contains(#""status":"ok""#) })
            #expect(await second.reads == 0)
            #expect(await third.writes.map(\.changes) == [["mode": "cool"]])
        }
    }

    @Test func anotherBrokerIsTriedBeforeTheOldOneIsLeft() async throws {
        try await withBroker { second in
            try await withBridge { bridge in
                let subscriber = try await bridge.subscriber()
                try await bridge.waitUntilOnline(subscriber)
                second.stop()
                let server = ServerAddress(isTLS: false, host: "127.0.0.1", port: second.port)
                bridge.file.change { $0.mqtt.server = server }
                let refused = try await bridge.request("reload", "", subscriber)
                #expect(refused["error"]?["code"] == "invalid_configuration")
                guard case .string(let message)? = refused["error"]?["message"] else {
                    Issue.record("no message in \(refused)")
                    return
                }
                #expect(message.contains("nobody listens at 127.0.0.1:\(second.port)"), "\(message)")
                try await bridge.set("target", "23")
                try await subscriber.waitFor(topic: bridge.topic("target"), payload: "23")

                try await second.start()
                let there = try await Subscriber(to: ["\(bridge.base)/#"], on: second)
                #expect(try await bridge.request("reload", "", subscriber)["status"] == "ok")
                try await subscriber.waitFor(topic: bridge.state, payload: "offline")
                try await there.waitFor(topic: bridge.state, payload: "online")
                try await there.waitFor(topic: bridge.topic("target"), payload: "23")
                there.stop()
            }
        }
    }

    @Test func anotherBridgesBaseTopicIsRefused() async throws {
        try await withBridge { first in
            let watcher = try await first.subscriber()
            try await first.waitUntilOnline(watcher)
            try await withBridge { second in
                let subscriber = try await second.subscriber()
                try await second.waitUntilOnline(subscriber)
                second.file.change { $0.mqtt.baseTopic = first.base }
                let answer = try await second.request("reload", "", subscriber)
                #expect(answer["error"]?["code"] == "invalid_configuration")
                #expect(subscriber.messages(on: second.state).map(\.text) == ["online"])
            }
        }
    }

    @Test func aBridgeThatCannotConnectTakesBetterSettings() async throws {
        let broker = try #require(Broker.ofSuite)
        try await withBridge(Setup { $0.mqtt.server.port = 1 }) { bridge in
            try await waitUntil("the failure in the log") {
                bridge.log.lines.contains { $0.contains("nobody listens at 127.0.0.1:1 ") }
            }
            bridge.file.change { $0.mqtt.server.port = broker.port }
            let subscriber = try await bridge.subscriber()
            await bridge.bridge.reload(for: "a test")
            try await bridge.waitUntilOnline(subscriber)
        }
    }

    @Test func homeAssistantIsSwitchedOffAndOn() async throws {
        try await withBridge { bridge in
            let subscriber = try await bridge.subscriber()
            try await bridge.waitUntilOnline(subscriber)
            let discovery = "ha-\(bridge.base)/device/#"
            try await waitUntil("both announcements") { try await bridge.retained(below: discovery).count == 2 }
            _ = try await bridge.reload(subscriber) { $0.homeAssistant.isEnabled = false }
            try await waitUntil("both to go") { try await bridge.retained(below: discovery).isEmpty }
            #expect(subscriber.messages(on: bridge.topic("target")).allSatisfy { !$0.payload.isEmpty })
            try await waitUntil("the connection") {
                subscriber.messages(on: bridge.state).map(\.text) == ["online", "offline", "online"]
            }
            _ = try await bridge.reload(subscriber) { $0.homeAssistant.isEnabled = true }
            try await waitUntil("both announcements again") { try await bridge.retained(below: discovery).count == 2 }
        }
    }

    @Test func whatIsBeingWrittenIsFinishedAndWhatComesMeanwhileWaits() async throws {
        try await withBridge(Setup { $0.accessories[0].timeout = .seconds(60) }) { bridge in
            let subscriber = try await subscriberDuringAWrite(bridge)
            try await bridge.set("power", #"{"value": "ON", "transaction": "pending"}"#)
            try await bridge.settle(subscriber)
            let new = FakeDevice()
            _ = try await bridge.reload(subscriber) { configuration in
                configuration.accessories[0].name = "New"
                configuration.accessories[0].makeSettings = new.settings
            }
            try await bridge.set("mode", #"{"value": "cool", "transaction": "later"}"#)
            try await bridge.settle(subscriber)
            #expect(await new.reads == 0)
            await bridge.device.letGo()
            try await waitUntil("three answers") { subscriber.messages(on: bridge.responses).count == 3 }
            #expect(subscriber.messages(on: bridge.responses).allSatisfy { $0.text.contains(#""status":"ok""#) })
            #expect(await bridge.device.writes.map(\.changes) == [["target": "22"], ["power": "true"]])
            #expect(await new.writes.map(\.changes) == [["mode": "cool"]])
        }
    }

    @Test func aRemovedAccessoryLetsGoOfItsProvider() async throws {
        let device = FakeDevice()
        let context = Contexts()
        try await withBridge(
            Setup { configuration in
                var accessory = fakeAccessory("guest", device)
                accessory.makeSettings = {
                    HomeAccessorySettings(context: { context.make(for: device) }, provider: { FakeProvider() })
                }
                configuration.accessories.append(accessory)
            }
        ) { bridge in
            let subscriber = try await bridge.subscriber()
            try await subscriber.waitFor(topic: "\(bridge.base)/guest/availability", payload: "online")
            #expect(await context.isThere)
            _ = try await bridge.reload(subscriber) { $0.accessories.removeLast() }
            try await waitUntil("the context to go") { await !context.isThere }
        }
    }
}

/// Watches over an object that only a session's provider holds.
@MainActor private final class Contexts {
    private final class Token: Sendable {}
    private weak var token: Token?

    nonisolated init() {}

    var isThere: Bool { token != nil }

    func make(for device: FakeDevice) -> FakeContext {
        let token = Token()
        self.token = token
        return FakeContext(device: device, token: token)
    }
}
