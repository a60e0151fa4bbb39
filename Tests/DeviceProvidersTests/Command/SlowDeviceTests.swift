import DeviceProviders
import Foundation
import SettingsBridge
import TestSupport
import Testing

@Suite("Slow devices behind commands", .enabled(if: Broker.isAvailable)) struct SlowDeviceTests {
    private let folder = try! DeviceFolder()

    private func accessory(_ id: String, delay: String, more: String = "") -> String {
        """
        { "id": "\(id)", \(more) "provider": { "type": "command",
            "read": { "all": { "command": ["sh", "-c", "sleep \(delay); cat \(folder.path)/\(id)"] } },
            "settings": { "target": { "kind": "range", "min": 5, "max": 30, "step": 0.5, "read": {},
              "write": { "command": ["sh", "-c",
                "sleep \(delay); echo $1 >>\(folder.path)/\(id).writes; echo $1 >\(folder.path)/\(id).new; mv \(folder.path)/\(id).new \(folder.path)/\(id)",
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
        // What the bridge does not read again while it writes is not read at all.
        let configuration = try configuration(accessory("lamp", delay: "0.3", more: #""refresh_interval": 0,"#))
        try await withRunningBridge(configuration) { bridge in
            try await bridge.wait("lamp/target", "5")
            let values = (1...50).map { 5 + Double($0) / 2 }
            try folder.write("values", values.map { "\($0)\n" }.joined())
            try await run(
                "sh",
                [
                    "-c",
                    "mosquitto_pub -h 127.0.0.1 -p \(bridge.broker.port) -q 1 -t settings2mqtt/lamp/target/set -l <\(folder.file("values"))",
                ])
            try await bridge.wait("lamp/target", "30")
            #expect(writes("lamp").last == "30")
            #expect(writes("lamp").count <= 5, "\(writes("lamp"))")
            #expect(bridge.last("lamp/target") == "30")
        }
    }

    @Test("O32: one slow device blocks no other") func slowBesideFast() async throws {
        try folder.write("slow", "5\n")
        try folder.write("fast", "5\n")
        let configuration = try configuration(
            accessory("slow", delay: "600", more: #""timeout": "2s", "refresh_interval": 0,"#),
            accessory("fast", delay: "0", more: #""refresh_interval": "100ms","#))
        try await withRunningBridge(configuration) { bridge in
            try await bridge.wait("fast/target", "5")
            try await bridge.set("slow/target", "20")
            try await bridge.set("fast/target", "21")
            try await bridge.wait("fast/target", "21")
            // It is still polled.
            try folder.write("fast", "22\n")
            try await bridge.wait("fast/target", "22")
            let answer = try await bridge.subscriber.waitFor(topic: "settings2mqtt/bridge/response/set")
            #expect(answer.text.contains(#""accessory":"slow""#), "\(answer.text)")
            #expect(writes("slow") == [])
            #expect(writes("fast") == ["21"])
        }
    }
}
