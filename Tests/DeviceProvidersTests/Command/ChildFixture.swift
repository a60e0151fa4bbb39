import AccessorySettings
import DeviceProviders
import Foundation
import Glibc
import HomeKit
import SettingsBridge
import TestSupport
import Testing

/// A folder of one test, with the programs and files of its device.
final class DeviceFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "children-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a shell script that can be run, and gives its path.
    ///
    /// A program that somebody has open for writing can't be started, and children that are just being started by other
    /// tests have open what this process has. So another process writes it.
    func script(_ name: String, _ text: String) throws -> String {
        try write(name + ".text", "#!/bin/sh\n" + text)
        chmod(file(name + ".text"), 0o755)
        guard try ChildProcess("cp", [file(name + ".text"), file(name)]).waitForStatus() == 0 else {
            throw SpawnError("\(file(name)) can't be written")
        }
        return file(name)
    }

    func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(filePath: file(name)))
    }

    func text(_ name: String) -> String? {
        (try? Data(contentsOf: URL(filePath: file(name)))).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The process that has written its number to a file.
    func waitForPID(_ name: String) async throws -> pid_t {
        var pid: pid_t?
        try await waitUntil("a process number in \(name)") {
            pid = text(name).flatMap { $0.hasSuffix("\n") ? pid_t($0.dropLast()) : nil }
            return pid != nil
        }
        return try #require(pid)
    }
}

/// Whether a process is there, be it as a zombie.
func exists(_ pid: pid_t) -> Bool { kill(pid, 0) == 0 }

/// Whether a process runs. For what a child started: who inherits it may leave it as a zombie.
func isRunning(_ pid: pid_t) -> Bool {
    guard let status = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8) else { return false }
    return status.split(separator: ")").last?.hasPrefix(" Z") == false
}

/// A device of the configuration as a session of the bridge sees it.
@MainActor struct DeclaredAccessory {
    private let source: any AccessorySettingsSource
    private let accessory: HMAccessory

    /// - Parameters:
    ///   - provider: the whole section.
    ///   - folder: the folder of the configuration.
    init(_ provider: String, in folder: DeviceFolder? = nil) throws {
        let configuration = try Self.parse(provider, in: folder)
        let makeSettings = try #require(configuration.accessories[0].makeSettings)
        source = makeSettings().makeSource()
        accessory = HMAccessory(configuration.accessories[0])
    }

    nonisolated static func parse(_ provider: String, in folder: DeviceFolder? = nil) throws -> BridgeConfiguration {
        try rules(provider, in: folder).configuration
    }

    nonisolated static func rules(
        _ provider: String, in folder: DeviceFolder? = nil
    ) throws -> (configuration: BridgeConfiguration, rules: [ConfigurationRule]) {
        try BridgeConfiguration.parse(
            Array(#"{ "accessories": [ { "id": "device", "provider": \#(provider) } ] }"#.utf8),
            file: folder?.file("settings2mqtt.json") ?? "settings2mqtt.json", factories: DeviceProviderFactories.all,
            accessoriesNeedProvider: true)
    }

    /// The faults of a section, each with the key below it.
    nonisolated static func faults(_ provider: String) -> [String] {
        do {
            _ = try parse(provider)
            return []
        } catch let error as ConfigurationError {
            return error.faults.map { fault in
                let key = fault.path.replacing("accessories[0].provider.", with: "")
                    .replacing("accessories[0].provider", with: "")
                return key.isEmpty ? fault.message : "\(key) \(fault.message)"
            }
        } catch {
            return ["\(error)"]
        }
    }

    func settings() async throws -> [Setting] { try await source.settings(for: accessory) }

    /// The values by setting; unreadable ones are left out.
    func values() async throws -> [String: SettingValue] {
        try await settings().reduce(into: [:]) { $0[$1.id] = $1.value }
    }

    /// Changes the settings, which are described as in the last reading.
    func write(_ values: KeyValuePairs<String, SettingValue>, as settings: [Setting]? = nil) async throws {
        let known: [Setting] = if let settings { settings } else { try await self.settings() }
        let changes = try values.map { id, value in
            Setting(try #require(known.first { $0.id == id }).descriptor, value: value)
        }
        try await source.settingsDidChange(changes, for: accessory)
    }

    var changes: AsyncStream<Void>? { source.settingsChanges(for: accessory) }
}

/// What the body says when it fails.
func failure(_ body: () async throws -> Void) async -> String {
    do {
        try await body()
        return "no failure"
    } catch {
        return failureSentence(error)
    }
}

/// The program `settings2mqtt`, which is beside the test bundle.
let bridgeProgram = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    .appending(path: "settings2mqtt").path

/// The folder with the examples of configurations.
let examplesFolder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "config/examples")
