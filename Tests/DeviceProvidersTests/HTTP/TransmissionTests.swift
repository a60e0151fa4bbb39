import AccessorySettings
import Foundation
import TestSupport
import Testing

@testable import DeviceProviders
@testable import SettingsBridge

private enum Transmission {
    /// Where `CI` is set the programs must be there, so that missing ones fail.
    static var isWanted: Bool {
        let areInstalled = ["transmission-daemon", "transmission-remote"].allSatisfy { isInstalled($0) }
        return ProcessInfo.processInfo.environment["CI"] != nil || areInstalled && Broker.isAvailable
    }
}

/// The example for transmission against the real program, from MQTT to the daemon and back.
@MainActor @Suite("transmission-daemon behind the bridge", .broker, .enabled(if: Transmission.isWanted))
struct TransmissionTests {
    /// Starts a daemon with a folder of its own, which knows no one and nobody else.
    private func withDaemon(_ body: (_ port: Int, _ folder: URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "transmission-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for _ in 0..<5 {
            let (port, peerPort) = (try Broker.freePort(), try Broker.freePort())
            let daemon = try ChildProcess(
                "transmission-daemon",
                [
                    "--foreground", "--config-dir", folder.path, "--download-dir", folder.path, "--no-auth",
                    "--port", "\(port)", "--rpc-bind-address", "127.0.0.1", "--allowed", "127.0.0.1",
                    "--peerport", "\(peerPort)", "--bind-address-ipv4", "127.0.0.1", "--no-portmap", "--no-dht",
                    "--no-lpd", "--no-utp",
                ])
            defer { daemon.terminate() }
            do {
                try await waitUntil("transmission-daemon to answer") { (try? await session(port)) != nil }
            } catch is TimedOut {
                // It runs on where somebody else has taken the port meanwhile.
                continue
            }
            return try await body(port, folder)
        }
        throw SpawnError("transmission-daemon answered on none of 5 ports")
    }

    /// What `transmission-remote` says about the session, by line.
    private func session(_ port: Int) async throws -> [String] {
        try await run("transmission-remote", ["127.0.0.1:\(port)", "--session-info"])
            .map { $0.trimmingCharacters(in: .whitespaces) }
    }

    @Test func settingsGoFromMQTTToTheDaemonAndBack() async throws {
        let broker = try #require(Broker.ofSuite)
        try await withDaemon { port, folder in
            var configuration = try httpExample(
                "transmission", "http://localhost:9091/transmission/rpc",
                at: "http://127.0.0.1:\(port)/transmission/rpc")
            configuration.mqtt.server = ServerAddress(isTLS: false, host: broker.host, port: broker.port)
            configuration.mqtt.baseTopic = "daemon"
            configuration.mqtt.clientID = "daemon"
            let subscriber = try await Subscriber(to: ["daemon/#"], on: broker)
            let bridge = Bridge(configuration, log: Log([]))
            let running = Task { try await bridge.run() }
            do {
                try await check(broker, subscriber, port, folder)
            } catch {
                await bridge.stop(within: .zero)
                _ = await running.result
                throw error
            }
            await bridge.stop(within: .milliseconds(500))
            _ = await running.result
        }
    }

    private func check(_ broker: Broker, _ subscriber: Subscriber, _ port: Int, _ folder: URL) async throws {
        func state(_ setting: String, _ value: String) async throws {
            try await subscriber.waitFor(topic: "daemon/transmission/\(setting)", payload: value)
        }
        try await state("turtle", "OFF")
        try await state("encryption", "preferred")
        try await state("folder", folder.path)

        try await broker.publish(topic: "daemon/transmission/turtle/set", payload: "ON")
        try await state("turtle", "ON")
        try await broker.publish(topic: "daemon/transmission/limit_down/set", payload: "ON")
        try await state("limit_down", "ON")
        try await broker.publish(
            topic: "daemon/transmission/set",
            payload: #"{"speed_down": 321, "turtle_down": 45, "encryption": "required"}"#)
        try await state("speed_down", "321")
        try await state("turtle_down", "45")
        try await state("encryption", "required")
        let quoted = folder.path + #"/a "b" {{value}} $(c)"#
        try await broker.publish(topic: "daemon/transmission/folder/set", payload: quoted)
        try await state("folder", quoted)

        let session = try await session(port)
        #expect(session.contains("Encryption: required"))
        #expect(session.contains("Download directory: \(quoted)"))
        #expect(
            session.contains {
                $0.hasPrefix("Download speed limit: 45 kB/s") && $0.contains("Enabled limit: 321 kB/s")
            }, "\(session)")
    }

    @Test func changesOfOneSetAreOneRequest() async throws {
        try await withDaemon { port, _ in
            let accessory = try HTTPAccessory(
                httpExample(
                    "transmission", "http://localhost:9091/transmission/rpc",
                    at: "http://127.0.0.1:\(port)/transmission/rpc"
                ).accessories[0])
            try await accessory.write([
                "turtle": .toggle(true), "turtle_down": .number(7), "encryption": .option("tolerated"),
            ])
            let values = try await accessory.read()
            #expect(values["turtle"] == .toggle(true) && values["turtle_down"] == .number(7))
            #expect(values["encryption"] == .option("tolerated"))
            #expect(try await session(port).contains("Encryption: tolerated"))
            // A folder that is none: the daemon says so in an answer with 200.
            let failure = await accessory.writeFailure(["folder": .text("not/absolute")])
            #expect(
                failure?.description
                    == "POST http://127.0.0.1:\(port)/transmission/rpc (folder) failed: the answer says "
                    + #""download directory path is not absolute" at /result, not "success""#)
        }
    }
}
