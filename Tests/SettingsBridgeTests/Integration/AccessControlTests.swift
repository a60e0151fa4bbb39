import Foundation
import TestSupport
import Testing

@testable import SettingsBridge

/// A bridge and its clients on a broker that allows them no more than they need, or less.
@Suite("Access control", .timeLimit(.minutes(3)), .enabled(if: Broker.isAvailable)) struct AccessControlTests {
    private static let base = "settings2mqtt"

    /// As the rights in `config/mosquitto.acl` name them. Users need no password here.
    private static func setup(_ more: @escaping (inout BridgeConfiguration) -> Void = { _ in }) -> Setup {
        Setup {
            $0.mqtt.user = "bridge"
            $0.homeAssistant.discoveryTopic = "homeassistant"
            $0.homeAssistant.statusTopic = "homeassistant/status"
            more(&$0)
        }
    }

    /// Runs the body on a broker with these rights.
    private func withRights(_ rights: String, _ body: (Broker) async throws -> Void) async throws {
        func write(in folder: URL) throws {
            try Data(rights.utf8).write(to: folder.appendingPathComponent("acl"))
        }
        try await withBroker(configuration: "acl_file {directory}/acl", prepare: write, body)
    }

    private func rightsOfTheExample() throws -> String {
        let file = URL(filePath: #filePath).appending(path: "../../../../config/mosquitto.acl").standardized
        return try String(contentsOf: file, encoding: .utf8)
    }

    private func publish(_ topic: String, _ payload: String, as user: String, to broker: Broker) async throws {
        try await broker.publish(topic: topic, payload: payload, extra: ["-u", user])
    }

    @Test func `with the rights of the example everything works, and a dashboard changes nothing`() async throws {
        try await withRights(rightsOfTheExample()) { broker in
            let device = FakeDevice()
            let two = Self.setup { configuration in
                var attic = configuration.accessories[0]
                attic.id = "attic"
                configuration.accessories.append(attic)
            }
            // There before either bridge: what is cleared is said once.
            let ha = try await Subscriber(to: ["homeassistant/#"], on: broker, extra: ["-u", "homeassistant"])
            try await withBridge(on: broker, base: Self.base, two, device: device) { bridge in
                let dashboard = try await bridge.subscriber(extra: ["-u", "dashboard"])
                try await bridge.waitUntilOnline(dashboard)
                try await dashboard.waitFor(topic: "\(Self.base)/attic/availability", payload: "online")
                try await waitUntil("three devices announced") { Set(ha.messages.map(\.topic)).count == 3 }
                dashboard.stop()
            }

            // The attic is gone: its topics and its announcement are cleared.
            try await withBridge(on: broker, base: Self.base, Self.setup(), device: device) { bridge in
                let dashboard = try await bridge.subscriber(extra: ["-u", "dashboard"])
                try await bridge.waitUntilOnline(dashboard)
                try await waitUntil("the clearing of the attic") {
                    ha.messages.contains { $0.payload.isEmpty && $0.topic.contains("attic") }
                }
                let now = try await bridge.subscriber(extra: ["-u", "dashboard"])
                try await now.waitFor(topic: bridge.topic("availability"), payload: "online")
                #expect(!now.messages.contains { $0.topic.contains("/attic") })

                try await publish(bridge.topic("power") + "/set", "ON", as: "homeassistant", to: broker)
                try await dashboard.waitFor(topic: bridge.topic("power"), payload: "ON")
                try await publish(bridge.topic("target") + "/set", "29", as: "dashboard", to: broker)
                try await publish(
                    "\(Self.base)/bridge/request/set",
                    #"{"accessory":"lr-thermo","changes":{"gain":0.7},"transaction":1}"#,
                    as: "commandline", to: broker)
                let answer = try await dashboard.waitFor(topic: "\(Self.base)/bridge/response/set")
                #expect(answer.text.contains(#""status":"ok""#))
                #expect(await device.writes.map(\.changes) == [["power": "true"], ["gain": "0.7"]])

                let asker = try await Subscriber(to: ["answers/#"], on: broker, extra: ["-u", "commandline"])
                try await broker.publish(
                    topic: "\(Self.base)/bridge/request/info", payload: "", properties: ["response-topic answers/me"],
                    extra: ["-u", "commandline"])
                try await asker.waitFor(topic: "answers/me")

                let announced = ha.messages.count
                try await publish("homeassistant/status", "online", as: "homeassistant", to: broker)
                try await waitUntil("the announcements again") { ha.messages.count >= announced + 3 }
                #expect(!bridge.log.lines.contains { $0.hasPrefix("error") || $0.hasPrefix("warning") })
            }
        }
    }

    @Test func `what the broker does not take is named with topic and user, and told when it takes it`() async throws {
        let rights = "user bridge\ntopic readwrite settings2mqtt/#\ntopic read homeassistant/#\n"
        try await withRights("\(rights)\nuser reader\ntopic read #\n") { broker in
            try await withBridge(on: broker, base: Self.base, Self.setup()) { bridge in
                let subscriber = try await Subscriber(to: ["#"], on: broker, extra: ["-u", "reader"])
                try await waitUntil("the refusal in the log") {
                    bridge.log.lines.contains {
                        $0.hasPrefix("error mqtt: the broker refused what was published on homeassistant/device/")
                            && $0.hasSuffix(": not authorised (reason 135); may the user 'bridge' write there?")
                    }
                }
                try await waitUntil("the refusal in the health") {
                    subscriber.messages(on: "\(Self.base)/bridge/health").last?.text
                        .contains("the broker refuses what is published on homeassistant/device/") == true
                }
                let refusals = bridge.log.lines.filter { $0.contains("refuse") }
                // The other topic is named with it where both were refused by the time it is looked at.
                #expect((1...2).contains(refusals.count), "one for the first topic, one for both: \(refusals)")

                try Data("\(rights)topic readwrite homeassistant/#\n\nuser reader\ntopic read #\n".utf8)
                    .write(to: broker.directory.appendingPathComponent("acl"))
                broker.reload()
                try await waitUntil("the announcements", within: .seconds(60)) {
                    Set(subscriber.messages.map(\.topic)).filter { $0.hasPrefix("homeassistant/device/") }.count == 2
                }
                try await waitUntil("the end in the log", within: .seconds(60)) {
                    bridge.log.lines.contains {
                        $0.hasPrefix("info mqtt: the broker takes everything that is published again, after ")
                    }
                }
                try await waitUntil("the end in the health") {
                    subscriber.messages(on: "\(Self.base)/bridge/health").last?.text.contains(#""problems":[]"#) == true
                }
            }
        }
    }

    // MARK: Subscriptions

    /// mosquitto's plug-in that, unlike its `acl_file`, can refuse a subscription.
    private static let plugin: String? = {
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib")) ?? []
        return (["/usr/lib"] + folders.map { "/usr/lib/" + $0 }).map { $0 + "/mosquitto_dynamic_security.so" }
            .first { FileManager.default.fileExists(atPath: $0) }
    }()

    /// What the plug-in allows.
    ///
    /// - Parameter filters: all others are refused; `nil` allows all.
    private static func security(_ filters: [String]?) -> Data {
        let acls = (filters ?? []).map {
            #"{ "acltype": "subscribe\#($0.hasSuffix("#") ? "Pattern" : "Literal")", "topic": "\#($0)", "priority": 0, "allow": true }"#
        }
        return Data(
            """
            {
              "defaultACLAccess": {
                "publishClientSend": true, "publishClientReceive": true, "subscribe": \(filters == nil), "unsubscribe": true
              },
              "anonymousGroup": "all",
              "groups": [{ "groupname": "all", "roles": [{ "rolename": "all", "priority": 0 }] }],
              "roles": [{ "rolename": "all", "acls": [\(acls.joined(separator: ","))] }],
              "clients": []
            }
            """.utf8)
    }

    @Test(
        .enabled(if: plugin != nil),
        arguments: [
            (MQTTSettings.Version.v5, "house/+': not authorised (reason 135)"),
            (.v311, "house/+/get': unspecified error (reason 128)"),
        ])
    func `a refused subscription is named, and told when it is taken`(
        _ version: MQTTSettings.Version, _ refusal: String
    ) async throws {
        func write(in folder: URL) throws {
            let sweep = ["house/bridge/#", "house/+/settings", "house/+/availability", "house/+/set", "house/+/+/set"]
            try Self.security(sweep + ["ha-house/#"]).write(to: folder.appendingPathComponent("security.json"))
        }
        let configuration = """
            plugin \(try #require(Self.plugin))
            plugin_opt_config_file {directory}/security.json
            """
        try await withBroker(configuration: configuration, prepare: write) { broker in
            try await withBridge(on: broker, base: "house", Setup { $0.mqtt.version = version }) { bridge in
                let line =
                    "error mqtt: no commands can be received: the broker refused the subscription to '\(refusal); "
                    + "may a client without a user name read there?"
                try await waitUntil("the refusal in the log") { bridge.log.lines.contains(line) }
                let first = try await Subscriber(to: ["house/bridge/#"], on: broker)
                try await first.waitFor(topic: bridge.state, payload: "online")
                let health = try await first.waitFor(topic: "house/bridge/health")
                #expect(health.text.contains("no commands can be received: the broker refused"))
                first.stop()

                broker.stop()
                try Self.security(nil).write(to: broker.directory.appendingPathComponent("security.json"))
                try await broker.start()
                let works = "info mqtt: everything that is sent to the bridge can be received now"
                try await waitUntil("the end in the log", within: .seconds(60)) { bridge.log.lines.contains(works) }
                let second = try await bridge.subscriber()
                try await bridge.waitUntilOnline(second)
                try await bridge.set("power", "ON")
                try await second.waitFor(topic: bridge.topic("power"), payload: "ON")
                #expect(bridge.log.lines.filter { $0 == line }.count == 1)
            }
        }
    }
}
