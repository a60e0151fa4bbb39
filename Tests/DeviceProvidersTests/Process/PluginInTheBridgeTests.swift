import DeviceProviders
import SettingsBridge
import TestSupport
import Testing

@Suite("Plug-ins in a bridge", .timeLimit(.minutes(2)), .enabled(if: Broker.isAvailable)) struct PluginInTheBridgeTests
{
    private let folder = try! DeviceFolder()

    @Test("What is wrong with a plug-in is published with the bridge's log") func log() async throws {
        let plugin = try folder.script(
            "plugin",
            """
            while read -r line; do
                id=${line#'{"id":'}
                echo party
                echo "{\\"id\\":${id%%,*},\\"values\\":{}}"
            done
            """)
        let configuration = try BridgeConfiguration.parse(
            Array(
                """
                { "accessories": [ { "id": "lamp", "refresh_interval": "200ms", "provider": {
                    "type": "process", "command": ["\(plugin)"], "settings": { "x": { "kind": "text" } } } } ] }
                """.utf8), file: "f", factories: DeviceProviderFactories.all, accessoriesNeedProvider: true
        ).configuration
        try await withRunningBridge(configuration) { bridge in
            try await waitUntil("the warning on bridge/log") {
                bridge.subscriber.messages(on: "settings2mqtt/bridge/log").contains {
                    $0.text.contains(#""level":"warning","source":"lamp""#)
                        && $0.text.contains("plug-in plugin: a line of its standard output is not JSON")
                }
            }
        }
    }
}
