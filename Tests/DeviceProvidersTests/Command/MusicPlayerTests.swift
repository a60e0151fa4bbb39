import AccessorySettings
import DeviceProviders
import Foundation
import SettingsBridge
import TestSupport
import Testing

@Suite(
    "A music player, from MQTT to the device", .timeLimit(.minutes(2)),
    .enabled(if: Broker.isAvailable && MusicPlayer.isAvailable))
struct MusicPlayerTests {
    private func configuration(_ example: String, for player: MusicPlayer) throws -> BridgeConfiguration {
        var configuration = try BridgeConfiguration.parse(
            Array(player.configured(example).utf8), file: examplesFolder.appending(path: example).path,
            factories: DeviceProviderFactories.all, accessoriesNeedProvider: true
        ).configuration
        configuration.accessories = configuration.accessories.filter { $0.id == "music" }
        return configuration
    }

    @Test("The example for commands works") func commands() async throws {
        let player = try await MusicPlayer()
        try await player.client("crossfade", "3")
        try await withRunningBridge(configuration("mpd.json", for: player)) { bridge in
            try await bridge.wait("music/random", "OFF")
            try await bridge.wait("music/crossfade", "3")
            try await bridge.wait("music/volume", "100%")
            try await bridge.wait("music/replaygain", "off")

            try await bridge.set("music/random", "ON")
            try await bridge.set("music/single", "After this one")
            try await bridge.set("music/crossfade", "12")
            try await bridge.set("music/replaygain", "album")
            try await bridge.wait("music/random", "ON")
            try await bridge.wait("music/single", "once")
            try await bridge.wait("music/crossfade", "12")
            try await bridge.wait("music/replaygain", "album")
            #expect(try await player.client("status", "%random% %single% %repeat%") == ["on once off"])
            #expect(try await player.client("crossfade") == ["crossfade: 12"])
            #expect(try await player.client("replaygain") == ["replay_gain_mode: album"])

            // Somebody else changes it.
            try await player.client("repeat", "on")
            try await bridge.broker.publish(topic: "settings2mqtt/music/get", payload: "x")
            try await bridge.wait("music/repeat", "ON")
        }
    }

    @Test("A player that is away fails with the client's own words") func away() async throws {
        var player: MusicPlayer? = try await MusicPlayer()
        let configuration = try configuration("mpd.json", for: #require(player))
        try await withRunningBridge(configuration) { bridge in
            try await bridge.wait("music/availability", "online")
            player = nil
            try await bridge.set("music/random", "ON")
            let answer = try await bridge.subscriber.waitFor(topic: "settings2mqtt/bridge/response/set")
            #expect(answer.text.contains("provider_failed"))
            #expect(
                answer.text.contains("writing random: mpc ended with exit code 1: MPD error: Connection refused"),
                "\(answer.text)")
        }
    }

    @Test("The plug-in works, and tells when somebody else changes something") func plugin() async throws {
        let player = try await MusicPlayer()
        try await withRunningBridge(configuration("plugins.json", for: player)) { bridge in
            try await bridge.wait("music/random", "OFF")
            try await bridge.wait("music/state", "stop")
            try await bridge.set("music", #"{"random": true, "crossfade": 7, "single": "once"}"#)
            try await bridge.wait("music/random", "ON")
            try await bridge.wait("music/crossfade", "7")
            try await bridge.wait("music/single", "once")
            #expect(try await player.client("status", "%random% %single%") == ["on once"])
            #expect(try await player.client("crossfade") == ["crossfade: 7"])

            try await player.client("repeat", "on")
            try await bridge.wait("music/repeat", "ON")
        }
    }
}
