import Foundation
import MQTT
import Testing

@testable import SettingsBridge

@Suite("Configuration file")
struct ConfigurationFileTests {
    @Test func everythingMayBeLeftOut() throws {
        let configuration = try parsedConfiguration("{}")
        #expect(configuration.mqtt.server == ServerAddress(isTLS: false, host: "localhost", port: 1883))
        #expect(configuration.mqtt.baseTopic == "settings2mqtt")
        #expect(configuration.mqtt.version == .automatic)
        #expect(configuration.mqtt.keepalive == 60)
        #expect(configuration.mqtt.sessionExpiry == .seconds(60))
        #expect(configuration.mqtt.rejectUnauthorized)
        #expect(configuration.mqtt.password == nil)
        #expect(configuration.homeAssistant == HomeAssistantSettings())
        #expect(configuration.refreshInterval == .seconds(60))
        #expect(configuration.timeout == .seconds(10))
        #expect(configuration.offlineAfter == 2)
        #expect(configuration.healthInterval == .seconds(60))
        #expect(configuration.log.level == .info)
        #expect(configuration.log.format == .text)
        #expect(configuration.accessories.isEmpty)
        #expect(configuration.warnings.isEmpty)
    }

    @Test func everyKey() throws {
        let configuration = try parsedConfiguration(SampleConfiguration.complete, environment: ["MQTT_PASSWORD": "p"])
        #expect(configuration.mqtt.user == "bridge")
        #expect(configuration.mqtt.password?.reveal { $0 } == "p")
        let accessory = try #require(configuration.accessories.first)
        #expect(accessory.id == "hallway")
        #expect(accessory.name == "Hallway thermostat")
        #expect(accessory.room == "Hallway")
        #expect(accessory.manufacturer == "Acme")
        #expect(accessory.model == "T1")
        #expect(accessory.firmware == "1.4")
        #expect(accessory.hardwareVersion == nil)
        #expect(accessory.category == "thermostat")
        #expect(accessory.timeout == .seconds(5))
        #expect(accessory.refreshInterval == .seconds(30))
        #expect(accessory.offlineAfter == 3)
        #expect(accessory.provider != nil)
        #expect(accessory.makeSettings != nil)
    }

    @Test("O20: typographic quotes are named with line and column")
    func typographicQuotes() throws {
        try withTemporaryFolder { folder in
            let path = folder + "/settings2mqtt.json"
            let text = "{\n  \"mqtt\": {},\n\n\n  \"accessories\": [\n    {\n      \"id\": “hallway”\n    }\n  ]\n}\n"
            try writeFile(text.utf8, to: path)
            #expect(
                faultsLoading(path).map(\.description) == ["\(path):7:13: a typographic quote “; use \" instead"])
        }
    }

    @Test("O20: a comma after the last element is allowed")
    func trailingComma() throws {
        #expect(try parsedConfiguration("{ accessories: [ { id: 'a', }, ], }").accessories.map(\.id) == ["a"])
    }

    @Test("O20: byte order mark and CR LF are accepted")
    func byteOrderMark() throws {
        try withTemporaryFolder { folder in
            let path = folder + "/settings2mqtt.json"
            let text = "\u{FEFF}" + SampleConfiguration.complete.replacing("\n", with: "\r\n")
            try writeFile(text.utf8, to: path)
            let configuration = try BridgeConfiguration.load(
                path: path, environment: ["MQTT_PASSWORD": "p"], factories: SampleConfiguration.factories)
            #expect(configuration.accessories.map(\.id) == ["hallway"])
        }
    }

    @Test("O20: an empty file is named")
    func emptyFile() throws {
        try withTemporaryFolder { folder in
            let path = folder + "/settings2mqtt.json"
            try writeFile([], to: path)
            #expect(faultsLoading(path).map(\.description) == ["\(path):1:1: the file is empty"])
        }
    }

    @Test("O20: a file without read permission is named", .enabled(if: geteuid() != 0))
    func noPermission() throws {
        try withTemporaryFolder { folder in
            let path = folder + "/settings2mqtt.json"
            try writeFile("{}".utf8, to: path)
            try #require(chmod(path, 0) == 0)
            #expect(faultsLoading(path).map(\.description) == ["\(path): can't be read: Permission denied"])
        }
    }

    @Test("O20: a missing file and a folder are named")
    func notAFile() throws {
        try withTemporaryFolder { folder in
            #expect(
                faultsLoading(folder + "/none.json").map(\.description)
                    == ["\(folder)/none.json: can't be read: No such file or directory"])
            #expect(faultsLoading(folder).map(\.description) == ["\(folder): can't be read: Is a directory"])
        }
    }

    @Test func hugeFile() throws {
        try withTemporaryFolder { folder in
            let path = folder + "/settings2mqtt.json"
            try writeFile(repeatElement(0x20, count: 5 << 20), to: path)
            #expect(
                faultsLoading(path).map(\.description)
                    == ["\(path): can't be read: it is larger than 4194304 bytes"])
        }
    }

    @Test("Truncated and altered files are read or refused, and never end the program")
    func damagedFiles() {
        let bytes = Array(SampleConfiguration.complete.utf8)
        func read(_ bytes: [UInt8]) {
            do throws(ConfigurationError) {
                _ = try BridgeConfiguration.parse(
                    bytes, file: "f", environment: ["MQTT_PASSWORD": "p"], factories: SampleConfiguration.factories)
            } catch {
                #expect(!error.faults.isEmpty)
                #expect(error.faults.allSatisfy { !$0.message.isEmpty })
            }
        }
        for count in stride(from: 0, to: bytes.count, by: 3) { read(Array(bytes.prefix(count))) }
        let replacements = Array("\"'\\{}[],:/*-0eux \n".utf8) + [0x00, 0x80, 0xC3, 0xFF]
        for index in bytes.indices {
            var altered = bytes
            altered[index] = replacements[index % replacements.count]
            read(altered)
        }
    }
}
