import Foundation
import TestSupport

/// A Music Player Daemon of one test, on a free loopback port, without sound.
final class MusicPlayer: Sendable {
    let port: Int
    private let folder: DeviceFolder
    private let process: ChildProcess

    /// Whether tests can start one here. Where `CI` is set they must, so that a missing one fails.
    static var isAvailable: Bool {
        (isInstalled("mpd") && isInstalled("mpc")) || ProcessInfo.processInfo.environment["CI"] != nil
    }

    init() async throws {
        folder = try DeviceFolder()
        port = try Broker.freePort()
        try FileManager.default.createDirectory(atPath: folder.file("music"), withIntermediateDirectories: false)
        try folder.write(
            "mpd.conf",
            """
            bind_to_address "127.0.0.1"
            port "\(port)"
            music_directory "\(folder.file("music"))"
            db_file "\(folder.file("database"))"
            zeroconf_enabled "no"
            audio_output {
                type "null"
                name "none"
                mixer_type "software"
            }
            """)
        let program = isInstalled("mpd") ? "mpd" : "/usr/bin/mpd"
        process = try ChildProcess(program, ["--no-daemon", "--stderr", folder.file("mpd.conf")])
        let process = process
        try await waitUntil("the player to answer; it says \(process.lines)") {
            guard !process.hasEnded else { throw SpawnError("mpd ended: \(process.lines.joined(separator: " | "))") }
            return (try? await client("status")) != nil
        }
    }

    deinit { process.terminate() }

    /// Where clients find it.
    var environment: [String: String] { ["MPD_HOST": "127.0.0.1", "MPD_PORT": "\(port)"] }

    /// Asks it by its own client, an independent witness.
    @discardableResult
    func client(_ arguments: String...) async throws -> [String] {
        try await run("mpc", ["--host=127.0.0.1", "--port=\(port)"] + arguments)
    }

    /// An example of the configuration, for this player.
    func configured(_ example: String) throws -> String {
        try String(contentsOf: examplesFolder.appending(path: example), encoding: .utf8)
            .replacing(#""MPD_PORT": "6600""#, with: #""MPD_PORT": "\#(port)""#)
    }
}
