import DeviceProviders
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import SettingsBridge

/// What a reload does with devices that hold on to something.
@Suite("Devices behind a bridge that reloads", .timeLimit(.minutes(2)), .enabled(if: Broker.isAvailable))
struct ReloadedDevicesTests {
    private let folder = try! DeviceFolder()

    private func configuration(_ accessories: [String], on broker: Broker) throws(ConfigurationError)
        -> BridgeConfiguration
    {
        try BridgeConfiguration.parse(
            Array(
                """
                { "mqtt": { "server": "mqtt://127.0.0.1:\(broker.port)", "client_id": "bridge" },
                  "accessories": [\(accessories.joined(separator: ","))] }
                """.utf8), file: folder.file("f"), factories: DeviceProviderFactories.all, accessoriesNeedProvider: true
        ).configuration
    }

    /// Runs a bridge that reads its configuration again from what stands in `accessories`.
    private func withBridge(
        _ accessories: [String],
        _ body: (RunningBridge, _ reload: ([String]) async -> Void) async throws -> Void
    ) async throws {
        try await withBroker { broker in
            let current = Mutex(accessories)
            let subscriber = try await Subscriber(to: ["settings2mqtt/#"], on: broker)
            let bridge = try Bridge(
                configuration(accessories, on: broker), log: Log([]),
                load: { () throws(ConfigurationError) in
                    try configuration(current.withLock { $0 }, on: broker)
                })
            let running = Task { try await bridge.run() }
            let result: Result<Void, any Error>
            do {
                let runs = RunningBridge(broker: broker, subscriber: subscriber)
                try await body(runs) { accessories in
                    current.withLock { $0 = accessories }
                    await bridge.reload(for: "a test")
                }
                result = .success(())
            } catch {
                result = .failure(error)
            }
            await bridge.stop(within: .milliseconds(500))
            _ = await running.result
            try result.get()
        }
    }

    /// A plug-in that needs a while to end, and until then holds what is for one alone. Its value is its number.
    private func plugin() throws -> String {
        try folder.script(
            "plugin",
            """
            cd '\(folder.path)'
            echo $$ >>pids
            exec 9>port
            flock -n 9 || exit 3
            trap 'trap "" TERM; sleep 0.2' EXIT
            trap 'exit 0' TERM
            while read -r line; do
                id=${line#'{"id":'}
                echo "{\\"id\\":${id%%,*},\\"values\\":{\\"x\\":\\"$$\\"}}"
            done
            """)
    }

    private var pids: [pid_t] { (folder.text("pids") ?? "").split(separator: "\n").compactMap { pid_t($0) } }

    private func accessory(_ id: String, _ provider: String, more: String = "") -> String {
        #"{ "id": "\#(id)", \#(more) "provider": { \#(provider) } }"#
    }

    private func process(_ plugin: String, more: String = "") -> String {
        accessory(
            "plug", #""type": "process", "command": ["\#(plugin)"], "settings": { "x": { "kind": "text" } }"#,
            more: more)
    }

    @Test("Removed accessories let go of their plug-in, their broker and their file") func removed() async throws {
        try folder.write("state", #"{"x":"written"}"#)
        let mqtt = accessory(
            "remote",
            #""type": "mqtt", "settings": { "x": { "kind": "text", "state": { "topic": "device" }, "command": { "topic": "device/set" } } }"#
        )
        let file = accessory(
            "file",
            #""type": "file", "path": "\#(folder.file("state"))", "format": "json", "settings": { "x": { "kind": "text", "pointer": "/x" } }"#
        )
        try await withBridge([process(plugin()), mqtt, file]) { bridge, reload in
            try await bridge.broker.publish(topic: "device", payload: "far", retain: true)
            try await bridge.wait("remote/x", "far")
            try await bridge.wait("file/x", "written")
            let pid = try await folder.waitForPID("pids")
            try await bridge.wait("plug/x", "\(pid)")
            await reload([])
            for topic in ["plug/x", "remote/x", "file/x"] {
                try await waitUntil("\(topic) to be cleared") { bridge.last(topic) == "" }
            }
            try await waitUntil("the plug-in to be gone") { !exists(pid) }
            try await waitUntil("the device's client to leave the broker") {
                bridge.broker.log.contains { $0.contains("Client bridge-remote-") && $0.contains("disconnected") }
            }
            #expect(pids.count == 1)
        }
    }

    @Test("A changed accessory's plug-in is started when its predecessor is gone", arguments: 1...3)
    func changed(_: Int) async throws {
        let plugin = try plugin()
        try await withBridge([process(plugin)]) { bridge, reload in
            let pid = try await folder.waitForPID("pids")
            try await bridge.wait("plug/x", "\(pid)")
            await reload([process(plugin, more: #""name": "Another","#)])
            try await waitUntil("the successor's plug-in") { pids.count > 1 }
            #expect(!isRunning(pid))
            try await bridge.wait("plug/x", "\(pids[1])")
            #expect(pids.count == 2, "none was started in vain")
        }
    }
}
