import Foundation
import Glibc
import TestSupport
import Testing

/// That no child outlives the program.
@Suite("Children at the end of the bridge", .timeLimit(.minutes(2)), .enabled(if: Broker.isAvailable))
struct EndOfTheBridgeTests {
    private let folder = try! DeviceFolder()

    /// Starts a bridge with this plug-in and waits until that is asked something.
    private func withBridge(plugin text: String, _ body: (ChildProcess, pid_t) async throws -> Void) async throws {
        let plugin = try folder.script("plugin", "cd '\(folder.path)'\n\(text)")
        try await withBroker { broker in
            try folder.write(
                "settings2mqtt.json",
                """
                { "mqtt": { "server": "mqtt://127.0.0.1:\(broker.port)" },
                  "accessories": [ { "id": "a", "provider": { "type": "process", "command": ["\(plugin)"] } } ] }
                """)
            let bridge = try ChildProcess(bridgeProgram, ["run", "-c", folder.file("settings2mqtt.json")])
            try await body(bridge, try await folder.waitForPID("pid"))
        }
    }

    @Test("SIGTERM ends them all, also those that ignore it", arguments: [SIGTERM, SIGINT])
    func cleanEnd(_ signal: CInt) async throws {
        try await withBridge(plugin: "trap '' TERM INT; echo $$ >pid; while :; do sleep 0.1; done") { bridge, pid in
            bridge.signal(signal)
            try await waitUntil("the end of the bridge; it says \(bridge.lines)") { bridge.hasEnded }
            #expect(bridge.waitForStatus() == 0)
            try await waitUntil("the plug-in to be gone") { !isRunning(pid) }
        }
    }

    @Test("When the bridge is killed, the end of the input ends a plug-in") func kill() async throws {
        try await withBridge(plugin: "echo $$ >pid; while read -r line; do :; done") { bridge, pid in
            bridge.kill()
            try await waitUntil("the plug-in to be gone") { !isRunning(pid) }
        }
    }
}
