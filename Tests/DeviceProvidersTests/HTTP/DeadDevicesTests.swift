import DeviceProviders
import Foundation
import TestSupport
import Testing

@testable import SettingsBridge

@MainActor @Suite("Dead devices over HTTP behind a bridge", .broker, .enabled(if: Broker.isAvailable))
struct DeadDevicesTests {
    @Test func theyDontDelayTheLiving() async throws {
        let broker = try #require(Broker.ofSuite)
        let base = ownTopic()
        let dead = try (0..<10).map { _ in try StandInServer { _ in .silence } }
        let living = try (0..<10).map { _ in
            try StandInServer { $0.method == "PUT" ? .answer(204) : .json(#"{"on":true}"#) }
        }
        // The dead have as good as for ever: had the living to wait for them, this would not end.
        let accessories = zip(dead, living).enumerated().map { number, pair in
            [("dead", pair.0), ("living", pair.1)].map { name, device in
                """
                { "id": "\(name)\(number)", "timeout": "10m", "provider": { "type": "http", "url": "\(device.url)",
                  "reads": { "all": { "path": "/" } }, "settings": { "on": {
                    "kind": "toggle", "read": "all#/on", "write": { "method": "PUT", "path": "/on/{{value}}" } } } } }
                """
            }
        }
        let configuration = try ConfiguredDevice.parse(
            configuration: """
                { "mqtt": { "server": "mqtt://127.0.0.1:\(broker.port)", "base_topic": "\(base)", "client_id": "\(base)" },
                  "home_assistant": { "enabled": false }, "accessories": [ \(accessories.joined().joined(separator: ", ")) ] }
                """)
        let subscriber = try await Subscriber(to: ["\(base)/+/availability"], on: broker)
        let bridge = Bridge(configuration, log: Log([]))
        let running = Task { try await bridge.run() }
        try await waitUntil("all silent devices to be asked") { dead.allSatisfy { $0.requests.count == 1 } }
        for number in living.indices {
            try await subscriber.waitFor(topic: "\(base)/living\(number)/availability", payload: "online")
            try await broker.publish(topic: "\(base)/living\(number)/on/set", payload: "OFF")
        }
        try await waitUntil("all changes") { living.allSatisfy { $0.requests.map(\.line).contains("PUT /on/false") } }
        #expect(dead.allSatisfy { $0.requests.count == 1 && $0.closedByPeer == 0 }, "they are still waited for")
        await bridge.stop(within: .milliseconds(500))
        _ = await running.result
    }
}
