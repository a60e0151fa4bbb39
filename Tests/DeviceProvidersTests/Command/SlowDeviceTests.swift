import DeviceProviders
import Foundation
import SettingsBridge
import TestSupport
import Testing

@Suite("Slow devices behind commands", .timeLimit(.minutes(2)), .enabled(if: Broker.isAvailable)) struct SlowDeviceTests
{
    private let folder = try! DeviceFolder()

    /// - Parameter writing: what a write does before it takes the value.
    private func accessory(_ id: String, writing: String = ":", more: String) -> String {
        """
        { "id": "\(id)", \(more) "provider": { "type": "command",
            "read": { "all": { "command": ["cat", "\(folder.file(id))"] } },
            "settings": { "target": { "kind": "range", "min": 5, "max": 30, "step": 0.5, "read": {},
              "write": { "command": ["sh", "-c",
                "cd \(folder.path); echo $1 >>\(id).writes; \(writing); echo $1 >\(id).new; mv \(id).new \(id)",
                "sh", "{{value}}"] } } } } }
        """
    }

    private func configuration(_ accessories: String...) throws -> BridgeConfiguration {
        try BridgeConfiguration.parse(
            Array("{ \"accessories\": [ \(accessories.joined(separator: ", ")) ] }".utf8), file: "f",
            factories: DeviceProviderFactories.all, accessoriesNeedProvider: true
        ).configuration
    }

    private func writes(_ id: String) -> [String] {
        (folder.text("\(id).writes") ?? "").split(separator: "\n").map(String.init)
    }

    @Test("O30: a slider floods a slow device") func flood() async throws {
        try folder.write("lamp", "5\n")
        let configuration = try configuration(
            accessory("lamp", writing: "until [ -e open ]; do sleep 0.01; done", more: #""refresh_interval": 0,"#))
        try await withRunningBridge(configuration) { bridge in
            try await bridge.wait("lamp/target", "5")
            try folder.write("values", (1...50).map { "\(5 + Double($0) / 2)\n" }.joined())
            try await run(
                "sh",
                [
                    "-c",
                    "mosquitto_pub -h 127.0.0.1 -p \(bridge.broker.port) -q 1 -t settings2mqtt/lamp/target/set -l <\(folder.file("values"))",
                ])
            // A request goes the same way as the values; its answer tells that all have arrived.
            try await bridge.broker.publish(topic: "settings2mqtt/bridge/request/mark", payload: "{}")
            try await bridge.subscriber.waitFor(topic: "settings2mqtt/bridge/response/mark")
            try await waitUntil("the first write") { writes("lamp") == ["5.5"] }
            try folder.write("open", "")
            try await bridge.wait("lamp/target", "30")
            #expect(writes("lamp") == ["5.5", "30"])
            #expect(bridge.last("lamp/target") == "30")
        }
    }

    @Test("O32: one slow device blocks no other") func slowBesideFast() async throws {
        try folder.write("slow", "5\n")
        try folder.write("fast", "5\n")
        let configuration = try configuration(
            accessory("slow", writing: "sleep 600", more: #""timeout": "2s", "refresh_interval": 0,"#),
            accessory("fast", more: #""refresh_interval": "100ms","#))
        try await withRunningBridge(configuration) { bridge in
            try await bridge.wait("slow/target", "5")
            try await bridge.wait("fast/target", "5")
            try await bridge.set("slow/target", "20")
            try await waitUntil("the slow write") { writes("slow") == ["20"] }
            try await bridge.set("fast/target", "21")
            try await bridge.wait("fast/target", "21")
            // It is still polled.
            try folder.write("fast", "22\n")
            try await bridge.wait("fast/target", "22")
            let answer = try await bridge.subscriber.waitFor(topic: "settings2mqtt/bridge/response/set")
            #expect(
                answer.text.contains(#""accessory":"slow""#) && answer.text.contains(#""timeout""#), "\(answer.text)")
            #expect(folder.text("slow") == "5\n")
            #expect(writes("fast") == ["21"])
        }
    }
}
