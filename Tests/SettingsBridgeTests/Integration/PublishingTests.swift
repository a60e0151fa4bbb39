import AccessorySettings
import Foundation
import TestSupport
import Testing

@testable import SettingsBridge

@Suite("What is published", .broker, .timeLimit(.minutes(2))) struct PublishingTests {
    @Test func everythingIsRetainedUnderItsTopic() async throws {
        try await withBridge { bridge in
            let subscriber = try await bridge.subscriber()
            try await bridge.waitUntilOnline(subscriber)
            let retained = try await bridge.retained(below: "\(bridge.base)/#")
            var expected: [String: String] = [bridge.state: "online", bridge.topic("availability"): "online"]
            for (setting, value) in [
                ("power", "OFF"), ("target", "21"), ("interval", "900"), ("gain", "0.5"), ("mode", "heat"),
                ("current", "20.5"),
            ] {
                expected[bridge.topic(setting)] = value
            }
            for setting in ["power", "target", "interval", "gain", "mode", "display_text", "current"] {
                expected[bridge.topic(setting) + "/availability"] = "online"
            }
            for (topic, payload) in expected { #expect(retained[topic] == payload, "\(topic)") }
            let others = Set(retained.keys).subtracting(expected.keys)
            // The empty text is a zero-length message, which clears its topic.
            #expect(
                others == [
                    bridge.values, bridge.topic("settings"), "\(bridge.base)/bridge/info",
                    "\(bridge.base)/bridge/health",
                ])
            let descriptors = try #require(
                Descriptors.identifiers(in: Array((retained[bridge.topic("settings")] ?? "").utf8)))
            #expect(descriptors.accessory == "lr-thermo")
            #expect(descriptors.settings == ["power", "target", "interval", "gain", "mode", "display_text", "current"])
        }
    }

    @Test func anAccessoryIsOfflineBeforeTheBridgeIsOnlineUntilItWasRead() async throws {
        let device = FakeDevice()
        await MainActor.run { device.readDelay = .seconds(1) }
        try await withBridge(device: device) { bridge in
            let subscriber = try await bridge.subscriber()
            try await bridge.waitUntilOnline(subscriber)
            let order = subscriber.messages.filter {
                $0.topic == bridge.state || $0.topic == bridge.topic("availability")
            }
            #expect(order.map(\.text) == ["offline", "online", "online"])
            #expect(order.map(\.topic) == [bridge.topic("availability"), bridge.state, bridge.topic("availability")])
        }
    }

    @Test func aProviderThatTellsOfAChangeIsReadAtOnce() async throws {
        try await withBridge { bridge in
            let subscriber = try await bridge.subscriber()
            try await bridge.waitUntilOnline(subscriber)
            await bridge.device.changeByItself { $0.current = "23" }
            try await subscriber.waitFor(topic: bridge.topic("current"), payload: "23")
        }
    }

    @Test("O08: an unreadable value clears its topic and is null in the JSON")
    func o08Unreadable() async throws {
        try await withBridge { bridge in
            let subscriber = try await bridge.subscriber()
            try await bridge.waitUntilOnline(subscriber)
            await MainActor.run { (bridge.device.current, bridge.device.target) = (nil, .nan) }
            await MainActor.run { bridge.device.power = true }
            try await bridge.broker.publish(topic: bridge.topic("power/get"), payload: "")
            try await subscriber.waitFor(topic: bridge.topic("power"), payload: "ON")
            try await waitUntil("the accessory JSON to follow") { subscriber.messages(on: bridge.values).count == 2 }
            #expect(
                subscriber.messages(on: bridge.values).last?.text
                    == #"{"power":true,"target":null,"interval":900,"gain":0.5,"mode":"heat","display_text":"","current":null}"#
            )
            #expect(subscriber.messages(on: bridge.topic("current")).last?.payload == [])
            #expect(try await bridge.retained(bridge.topic("current")) == nil)
            #expect(try await bridge.retained(bridge.topic("target")) == nil)
        }
    }

    @Test("O19: polling publishes nothing while nothing changes")
    func o19NoRepetition() async throws {
        try await withBridge(Setup { $0.accessories[0].refreshInterval = .milliseconds(20) }) { bridge in
            let subscriber = try await bridge.subscriber()
            try await bridge.waitUntilOnline(subscriber)
            try await bridge.settle(subscriber)
            let count = bridge.states(subscriber).count
            let reads = await bridge.device.reads
            try await waitUntil("10 more readings") { await bridge.device.reads > reads + 10 }
            try await bridge.settle(subscriber)
            #expect(bridge.states(subscriber).count == count)
            await MainActor.run { bridge.device.current = "21" }
            try await subscriber.waitFor(topic: bridge.topic("current"), payload: "21")
            try await waitUntil("the accessory JSON") {
                subscriber.messages(on: bridge.values).last?.text.contains(#""current":"21""#) == true
            }
            try await bridge.settle(subscriber)
            #expect(bridge.states(subscriber).count == count + 2, "one value and one JSON")
        }
    }

    @Test("O28: floating-point noise neither shows nor publishes")
    func o28Noise() async throws {
        try await withBridge(Setup { $0.accessories[0].refreshInterval = .milliseconds(20) }) { bridge in
            let subscriber = try await bridge.subscriber()
            try await bridge.waitUntilOnline(subscriber)
            for (reading, state) in [(0.1 + 0.2, "0.3"), (0.7000000029802322, "0.7"), (0.7, "0.7"), (0.5, "0.5")] {
                await MainActor.run { bridge.device.gain = reading }
                let reads = await bridge.device.reads
                try await waitUntil("a reading that began later") { await bridge.device.reads > reads + 1 }
                try await subscriber.waitFor(topic: bridge.topic("gain"), payload: state)
            }
            try await waitUntil("the last value") { subscriber.messages(on: bridge.topic("gain")).last?.text == "0.5" }
            #expect(subscriber.messages(on: bridge.topic("gain")).map(\.text) == ["0.5", "0.3", "0.7", "0.5"])
        }
    }

    @Test("O29: a publish on a state topic is no command and is put right once")
    func o29StateTopic() async throws {
        try await withBridge { bridge in
            let subscriber = try await bridge.subscriber()
            try await bridge.waitUntilOnline(subscriber)
            for payload in ["ON", "ON", "ON"] {
                try await bridge.broker.publish(topic: bridge.topic("power"), payload: payload, retain: true)
            }
            try await bridge.settle(subscriber)
            let states = subscriber.messages(on: bridge.topic("power")).map(\.text)
            #expect(states.filter { $0 == "OFF" }.count == 2, "at start, and once after the foreign ones: \(states)")
            #expect(await bridge.device.writes.isEmpty)
        }
    }

    @Test("O16: a setting that goes is cleared, one that comes back is there again")
    func o16Removed() async throws {
        let device = FakeDevice()
        await MainActor.run { device.displayText = "here" }
        try await withBridge(Setup { $0.accessories[0].refreshInterval = .milliseconds(20) }, device: device) {
            bridge in
            let subscriber = try await bridge.subscriber()
            try await bridge.waitUntilOnline(subscriber)
            await MainActor.run { bridge.device.lacksText = true }
            try await subscriber.waitFor(topic: bridge.topic("display_text"), payload: "")
            try await subscriber.waitFor(topic: bridge.topic("display_text/availability"), payload: "")
            let cleared = Set(subscriber.messages.filter { $0.payload.isEmpty }.map(\.topic))
            #expect(cleared == [bridge.topic("display_text"), bridge.topic("display_text/availability")])
            await MainActor.run { bridge.device.lacksText = false }
            try await waitUntil("the setting to come back") {
                subscriber.messages(on: bridge.topic("display_text")).map(\.text) == ["here", "", "here"]
            }
        }
    }

    @Test func whatAnEarlierRunLeftIsCleared() async throws {
        let broker = try #require(Broker.ofSuite)
        let base = "sweep\(UInt32.random(in: 0...UInt32.max))"
        try await withBridge(
            base: base,
            Setup { configuration in
                var gone = AccessoryConfiguration(id: "gone #1")
                gone.makeSettings = FakeDevice().settings
                configuration.accessories.append(gone)
            }
        ) { bridge in
            let subscriber = try await bridge.subscriber()
            try await bridge.waitUntilOnline(subscriber)
            try await subscriber.waitFor(topic: "\(base)/gone %231/availability", payload: "online")
        }
        let device = FakeDevice()
        await MainActor.run { device.lacksText = true }
        try await withBridge(on: broker, base: base, device: device) { bridge in
            let subscriber = try await bridge.subscriber()
            try await bridge.waitUntilOnline(subscriber)
            // The availability of the earlier run may have been enough for that; the first reading clears the setting.
            try await subscriber.waitFor(topic: bridge.topic("display_text/availability"), payload: "")
            let retained = try await bridge.retained(below: "\(base)/#").keys
            #expect(retained.filter { $0.hasPrefix("\(base)/gone") } == [])
            #expect(retained.filter { $0.contains("display_text") } == [])
            #expect(retained.contains(bridge.topic("power")))
        }
    }

    @Test func anAccessoryThatWasNeverReadLeavesNothingWhenItIsRemoved() async throws {
        let broker = try #require(Broker.ofSuite)
        let base = "unread\(UInt32.random(in: 0...UInt32.max))"
        let silent = FakeDevice()
        await MainActor.run { silent.readingFailure = "unplugged" }
        try await withBridge(
            base: base,
            Setup { configuration in
                var unread = AccessoryConfiguration(id: "unread")
                unread.makeSettings = silent.settings
                configuration.accessories.append(unread)
            }
        ) { bridge in
            let subscriber = try await bridge.subscriber()
            try await bridge.waitUntilOnline(subscriber)
            try await subscriber.waitFor(topic: "\(base)/unread/availability", payload: "offline")
        }
        try await withBridge(on: broker, base: base) { bridge in
            let subscriber = try await bridge.subscriber()
            try await bridge.waitUntilOnline(subscriber)
            try await bridge.settle(subscriber)
            #expect(try await bridge.retained("\(base)/unread/availability") == nil)
        }
    }

    @Test("O01: names that are illegal in topics work under encoded ones")
    func o01Names() async throws {
        let names = ["Küche Süd", "flex 2.5g", "Pump #1", "Delta +1"]
        let levels = ["Küche Süd", "flex 2.5g", "Pump %231", "Delta %2B1"]
        let devices = names.map { _ in FakeDevice() }
        try await withBridge(
            Setup { configuration in
                configuration.accessories = zip(names, devices).map { name, device in
                    var accessory = AccessoryConfiguration(id: name)
                    accessory.makeSettings = device.settings
                    return accessory
                }
            }
        ) { bridge in
            let subscriber = try await bridge.subscriber()
            for (level, device) in zip(levels, devices) {
                try await subscriber.waitFor(topic: "\(bridge.base)/\(level)/availability", payload: "online")
                try await bridge.broker.publish(topic: "\(bridge.base)/\(level)/power/set", payload: "ON")
                try await subscriber.waitFor(topic: "\(bridge.base)/\(level)/power", payload: "ON")
                #expect(await device.writes.count == 1)
            }
            #expect(!subscriber.messages.contains { $0.topic.contains("#") || $0.topic.contains("+") })
        }
    }
}
