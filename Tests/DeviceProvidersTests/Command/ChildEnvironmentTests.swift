import AccessorySettings
import Foundation
import HomeKit
import TestSupport
import Testing

@testable import DeviceProviders
@testable import SettingsBridge

@MainActor @Suite("The environment of children", .timeLimit(.minutes(2))) struct ChildEnvironmentTests {
    private let folder = try! DeviceFolder()

    @Test func whatIsMeantForTheBridgeStaysThere() {
        let launch = Launch(arguments: ["true"], environment: ["A": "2", "B": "3"])
        #expect(
            launch.wholeEnvironment(in: [
                "A": "1", "C": "4", "SETTINGS2MQTT_MQTT_PASSWORD": "x", "NOTIFY_SOCKET": "/x", "WATCHDOG_PID": "1",
            ]) == ["A": "2", "B": "3", "C": "4"])
    }

    /// Variables that this process has, and that children have too if nobody keeps them from them.
    private nonisolated static let variables: [(name: String, value: String)] = {
        let variables = ProcessInfo.processInfo.environment.sorted { $0.key < $1.key }
        let found = variables.filter { name, value in
            name.wholeMatch(of: #/[A-Z][A-Z_]+/#) != nil && value.wholeMatch(of: #/[!-~]{3,100}/#) != nil
                && !name.hasPrefix("SETTINGS2MQTT_") && !["PATH", "PWD", "OLDPWD"].contains(name)
        }
        return found.map { ($0.key, $0.value) }
    }()
    private nonisolated static var variable: (name: String, value: String) { variables.first ?? ("", "") }

    /// The environment of a command of the first accessory, as a program prints it.
    private func environment(configured: String = "", mqtt: String = "{}", second: String) async throws -> [String] {
        try await environment(of: configuration(configured: configured, mqtt: mqtt, second: second))
    }

    private func configuration(
        configured: String = "", mqtt: String = "{}", second: String
    ) throws -> BridgeConfiguration {
        try BridgeConfiguration.parse(
            Array(
                """
                { "accessories": [
                    { "id": "first", "provider": { "type": "command", \(configured)
                        "read": { "all": { "command": ["env", "-0"] } },
                        "settings": { "x": { "kind": "information", "read": {} } } } },
                    { "id": "second", "provider": \(second) } ],
                  "mqtt": \(mqtt) }
                """.utf8), file: folder.file("f"), environment: ProcessInfo.processInfo.environment,
            factories: DeviceProviderFactories.all, accessoriesNeedProvider: true
        ).configuration
    }

    private func environment(of configuration: BridgeConfiguration) async throws -> [String] {
        let settings = try #require(configuration.accessories[0].makeSettings)
        let read = try await settings().makeSource().settings(for: HMAccessory(configuration.accessories[0]))
        guard case .text(let text)? = read.first?.value else { return [] }
        return text.split(separator: "\0").map(String.init)
    }

    private static let simulated = #"{ "type": "simulated", "model": "lamp" }"#
    private static var line: String { "\(variable.name)=\(variable.value)" }

    @Test("Children find what the bridge found") func inherited() async throws {
        let path = try #require(ProcessInfo.processInfo.environment["PATH"])
        #expect(try await environment(second: Self.simulated).contains("PATH=\(path)"))
    }

    @Test("O10: children of an accessory that stays as it is don't find secrets that a reload brings")
    func secretsOfAReload() async throws {
        // One that no other test takes a secret from.
        try #require(Self.variables.count > 1)
        let name = try #require(Self.variables.last).name
        let first = try configuration(second: Self.simulated)
        #expect(try await environment(of: first).contains { $0.hasPrefix(name + "=") })
        _ = try configuration(
            second: #"{ "type": "process", "command": ["true"], "environment": { "TOKEN": { "env": "\#(name)" } } }"#)
        #expect(!(try await environment(of: first)).contains { $0.hasPrefix(name + "=") })
    }

    @Test("O10: children don't find the bridge's password") func password() async throws {
        let found = try await environment(
            mqtt: #"{ "user": "u", "password": { "env": "\#(Self.variable.name)" } }"#, second: Self.simulated)
        #expect(!found.contains { $0.hasPrefix(Self.variable.name + "=") })
        #expect(found.contains { $0.hasPrefix("PATH=") })
    }

    @Test("O10: children don't find secrets of a later accessory")
    func secretsOfOthers() async throws {
        for provider in [
            #"{ "type": "http", "url": "http://127.0.0.1", "secrets": { "web": { "env": "NAME" } }, "reads": { "all": { "path": "/" } }, "settings": { "x": { "kind": "information", "read": { "from": "all", "pointer": "/x" } } } }"#,
            #"{ "type": "process", "command": ["true"], "environment": { "TOKEN": { "env": "NAME" } } }"#,
        ] {
            let found = try await environment(second: provider.replacing("NAME", with: Self.variable.name))
            #expect(!found.contains { $0.hasPrefix(Self.variable.name + "=") })
        }
    }

    @Test("A child finds a secret that its own environment names") func configured() async throws {
        let name = Self.variable.name
        let found = try await environment(
            configured: #""environment": { "\#(name)": { "env": "\#(name)" } },"#, second: Self.simulated)
        #expect(found.contains(Self.line))
    }

    @Test("O10: a plug-in does not find them either") func plugin() async throws {
        let script = try folder.script("plugin", "env >'\(folder.file("found"))'")
        let configuration = try BridgeConfiguration.parse(
            Array(
                """
                { "accessories": [ { "id": "a", "provider": { "type": "process", "command": ["\(script)"] } } ],
                  "mqtt": { "user": "u", "password": { "env": "\(Self.variable.name)" } } }
                """.utf8), file: folder.file("f"), environment: ProcessInfo.processInfo.environment,
            factories: DeviceProviderFactories.all, accessoriesNeedProvider: true
        ).configuration
        let settings = try #require(configuration.accessories[0].makeSettings)
        let source = settings().makeSource()
        _ = await failure { _ = try await source.settings(for: HMAccessory(configuration.accessories[0])) }
        let found = try #require(folder.text("found")).split(separator: "\n")
        #expect(found.contains { $0.hasPrefix("PATH=") })
        #expect(!found.contains { $0.hasPrefix(Self.variable.name + "=") })
    }
}
