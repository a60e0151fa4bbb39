import Foundation
import MQTT
import Testing

@testable import SettingsBridge

/// The `mqtt` section read by itself.
@Suite("The mqtt section alone")
struct MQTTSectionTests {
    private func load(
        _ text: String?, environment: [String: String] = [:], _ options: [MQTTOption] = []
    ) throws -> MQTTSettings {
        guard let text else { return try MQTTSettings.load(path: nil, environment: environment, options: options) }
        let folder = FileManager.default.temporaryDirectory.appending(path: "section-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "c.json")
        try Data(text.utf8).write(to: file)
        try Data("from a file\n".utf8).write(to: folder.appending(path: "password"))
        return try MQTTSettings.load(path: file.path, environment: environment, options: options)
    }

    private func faults(
        _ text: String?, environment: [String: String] = [:], _ options: [MQTTOption] = []
    ) -> [String] {
        let error = #expect(throws: ConfigurationError.self) {
            try load(text, environment: environment, options)
        }
        return error?.faults.map { fault in
            var fault = fault
            if fault.file.hasSuffix("/c.json") { fault.file = "c.json" }
            return fault.description
        } ?? []
    }

    @Test func whatIsWrongElsewhereIsNoMatter() throws {
        let settings = try load(
            """
            { mqtt: { server: 'mqtts://b', user: 'u', password: { file: 'password' } }, log: 5, colour: 'red',
              accessories: [{ provider: { type: 'http', token: { env: 'NOBODY_HAS_IT' } } }] }
            """, environment: ["SETTINGS2MQTT_MQTT_BASE_TOPIC": "home"])
        #expect(settings.server == ServerAddress(isTLS: true, host: "b", port: 8883))
        #expect(settings.baseTopic == "home")
        #expect(settings.password?.reveal { $0 } == "from a file")
    }

    @Test func whatIsWrongInItIsAFault() {
        #expect(
            faults("{\n mqtt: { servr: 'x', keepalive: 1 } }").map { $0.prefix(22) } == [
                "c.json:2:10: mqtt: unk", "c.json:2:33: mqtt.keep",
            ])
        #expect(faults("{ mqtt: 5 }") == ["c.json:1:9: mqtt: must be an object: { … }, found a number"])
        #expect(faults("[]") == ["c.json:1:1: the configuration must be an object: { … }, found a list"])
        #expect(
            #expect(throws: ConfigurationError.self) {
                try MQTTSettings.load(path: "/nowhere/c.json", environment: [:])
            }?.description == "/nowhere/c.json: can't be read: No such file or directory")
    }

    @Test func withoutAFileThereAreTheDefaults() throws {
        #expect(try load(nil) == MQTTSettings())
        #expect(try load(nil, environment: ["SETTINGS2MQTT_MQTT_SERVER": "mqtt://e"]).server.host == "e")
    }

    @Test func optionsComeBeforeFileAndEnvironment() throws {
        let settings = try load(
            "{ mqtt: { server: 'mqtt://file', base_topic: 'file', user: 'file', password: { file: '/nowhere' } } }",
            environment: ["SETTINGS2MQTT_MQTT_SERVER": "mqtt://environment", "SETTINGS2MQTT_MQTT_USER": "environment"],
            [
                MQTTOption(.server, "mqtt://option:7", name: "--server"),
                MQTTOption(.password, "password", name: "--password-file"),
            ])
        #expect(settings.server == ServerAddress(isTLS: false, host: "option", port: 7))
        #expect(settings.baseTopic == "file")
        #expect(settings.user == "environment")
        #expect(settings.password?.reveal { $0 } == "from a file")
    }

    @Test func faultsOfOptionsNameTheOption() {
        #expect(
            faults(
                nil,
                [
                    MQTTOption(.server, "localhost", name: "--server"),
                    MQTTOption(.baseTopic, "a/#", name: "--base-topic"),
                    MQTTOption(.password, "/nowhere/p", name: "--password-file"),
                ]) == [
                    "--server: must begin with mqtt:// or mqtts://, as in mqtt://localhost:1883",
                    "--password-file: /nowhere/p can't be read: No such file or directory",
                    "--base-topic: must not contain the wildcards + and #",
                ])
    }
}
