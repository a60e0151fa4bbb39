import DeviceProviders
import Foundation
import TestSupport
import Testing

@testable import SettingsBridge

/// The whole way from a device to the bridge's topics.
@MainActor @Suite("Files and MQTT devices behind a bridge", .broker, .enabled(if: Broker.isAvailable))
struct BehindTheBridgeTests {
    @Test("O08: null, missing and nan clear the topic of that setting alone", arguments: ["mqtt", "file"])
    func unreadable(_ type: String) async throws {
        let broker = try #require(Broker.ofSuite)
        let base = ownTopic()
        let device = ownTopic()
        try await withFolder { folder in
            func tell(_ text: String) async throws {
                if type == "file" {
                    try put(text, folder + "/state")
                } else {
                    try await broker.publish(topic: device, payload: text, retain: true)
                }
            }
            func setting(_ kind: String, _ pointer: String) -> String {
                type == "file"
                    ? #"{ "kind": "\#(kind)", "pointer": "\#(pointer)" }"#
                    : #"{ "kind": "\#(kind)", "state": { "topic": "\#(device)", "pointer": "\#(pointer)" }, "command": { "topic": "\#(device)/set" } }"#
            }
            let own = type == "file" ? #""path": "\#(folder)/state", "format": "json","# : ""
            let configuration = try ConfiguredDevice.parse(
                configuration: """
                    { "mqtt": { "server": "mqtt://127.0.0.1:\(broker.port)", "base_topic": "\(base)", "client_id": "\(base)" },
                      "home_assistant": { "enabled": false }, "refresh_interval": 0,
                      "accessories": [ { "id": "thermo", "provider": { "type": "\(type)", \(own) "settings": {
                        "current": \(setting("range", "/current")), "eco": \(setting("toggle", "/eco")) } } } ] }
                    """)
            try await tell(#"{"current": 21.5, "eco": true}"#)
            let subscriber = try await Subscriber(to: ["\(base)/thermo/#"], on: broker)
            let bridge = Bridge(configuration, log: Log([]))
            let running = Task { try await bridge.run() }
            func expect(_ values: String) async throws {
                try await waitUntil("\(values) of the \(type) device") {
                    subscriber.messages(on: "\(base)/thermo").last?.text == values
                }
            }
            try await expect(#"{"current":21.5,"eco":true}"#)
            var eco = true
            for current in ["null", "", "\"nan\"", type == "mqtt" ? "nan" : "null"] {
                eco.toggle()
                try await tell(current.isEmpty ? #"{"eco": \#(eco)}"# : #"{"current": \#(current), "eco": \#(eco)}"#)
                try await expect(#"{"current":null,"eco":\#(eco)}"#)
                let topic = "\(base)/thermo/current"
                try await waitUntil("the cleared topic") { subscriber.messages(on: topic).last?.text == "" }
                eco.toggle()
                try await tell(#"{"current": 20, "eco": \#(eco)}"#)
                try await expect(#"{"current":20,"eco":\#(eco)}"#)
            }
            await bridge.stop(within: .milliseconds(500))
            _ = await running.result
        }
    }
}
