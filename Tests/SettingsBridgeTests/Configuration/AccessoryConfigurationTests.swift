import Foundation
import HomeKit
import Testing

@testable import SettingsBridge

@Suite("Accessories of the configuration")
struct AccessoryConfigurationTests {
    @Test func version5UUIDs() {
        // RFC 9562, appendix A.4: "www.example.com" in the namespace of domain names.
        let domainNames = UUID(
            uuid: (0x6B, 0xA7, 0xB8, 0x10, 0x9D, 0xAD, 0x11, 0xD1, 0x80, 0xB4, 0x00, 0xC0, 0x4F, 0xD4, 0x30, 0xC8))
        #expect(
            UUID.version5(of: "www.example.com", in: domainNames).uuidString == "2ED6657D-E927-568B-95E1-2665A8AEA6A2")
    }

    @Test("The UUID that an id gives never changes", arguments: UUIDVectors.all)
    func accessoryUUIDs(id: String, uuid: String) throws {
        #expect(AccessoryConfiguration(id: id).uuid.uuidString == uuid)
    }

    @Test func givenUUIDs() throws {
        let uuid = "3F2504E0-4F89-41D3-9A0C-0305E82C3301"
        let text = "{ accessories: [\n { id: 'a', uuid: '\(uuid.lowercased())' },\n { id: 'b', uuid: '\(uuid)' } ] }"
        #expect(
            configurationFaults(text) == [
                "settings2mqtt.json:3:19: accessories[1].uuid: is the uuid of accessory 'a' already"
            ])
        #expect(
            try parsedConfiguration("{ accessories: [ { id: 'a', uuid: '\(uuid)' } ] }").accessories.first?.uuid
                .uuidString
                == uuid)
    }

    @Test(arguments: ["bridge", "a/b+#%$", "$x", "Wohnzimmer Süd 🌡", "set", "a\\n", "\\u0000", "\\uFFFE", " "])
    func anyIdentifierIsAllowed(id: String) throws {
        #expect(try parsedConfiguration("{ accessories: [ { id: '\(id)' } ] }").accessories.count == 1)
    }

    @Test func identifiersAreLimitedAndDistinct() throws {
        func text(_ count: Int) -> String { "{ accessories: [ { id: '\(String(repeating: "é", count: count))' } ] }" }
        #expect(configurationFaults(text(512)).isEmpty)
        #expect(
            configurationFaults(text(513)) == [
                "settings2mqtt.json:1:24: accessories[0].id: must not be longer than 1024 bytes"
            ])
        // Composed and decomposed: the same text, though not the same bytes.
        #expect(configurationFaults("{ accessories: [ { id: 'caf\u{E9}' }, { id: 'cafe\u{301}' } ] }").count == 1)
    }

    @Test func anAccessoryThatOnlyMovedIsEqual() throws {
        let one = try parsedConfiguration("{ accessories: [ { id: 'a', provider: { type: 'http', model: 'x' } } ] }")
        let moved = try parsedConfiguration(
            "{\n accessories: [\n { id: 'a', provider: {\n type: 'http', model: 'x' } } ] }")
        let other = try parsedConfiguration("{ accessories: [ { id: 'a', provider: { type: 'http', model: 'y' } } ] }")
        #expect(one.accessories == moved.accessories)
        #expect(one.accessories != other.accessories)
    }

    @Test("A secret that changed in its variable makes another accessory")
    func changedSecrets() throws {
        let text = "{ accessories: [ { id: 'a', provider: { type: 'http', headers: { X: { env: 'TOKEN' } } } } ] }"
        let one = try parsedConfiguration(text, environment: ["TOKEN": "1"])
        #expect(try parsedConfiguration(text, environment: ["TOKEN": "1"]) == one)
        #expect(try parsedConfiguration(text, environment: ["TOKEN": "2"]) != one)
    }

    @Test func everyCategoryOfHomeKitIsAllowed() throws {
        for word in HMAccessoryCategory.words {
            let accessory = try parsedConfiguration("{ accessories: [ { id: 'a', category: '\(word)' } ] }").accessories
                .first
            #expect(accessory?.category == word)
        }
        #expect(
            configurationFaults("{ accessories: [ { id: 'a', category: 'garage_door_opener' } ] }").first?.hasSuffix(
                "found 'garage_door_opener'; did you mean 'garageDoorOpener'?") == true)
    }
}

private enum UUIDVectors {
    static let all: [(String, String)] = [
        ("hallway", "017FCA61-7F1E-5423-9D48-68AE08293D3F"),
        ("Wohnzimmer Süd", "36873D53-71FC-5F11-BA47-01277BE8DE6F"),
        (String(repeating: "a", count: 55), "E2FA864C-1F45-58F7-B742-FE63EEA104FD"),
        (String(repeating: "a", count: 56), "7DFE35DD-4A64-5527-9B5A-8E1F59C28A70"),
        (String(repeating: "a", count: 64), "1DD535F6-C154-5ABF-AC1C-E6C5CDC18B61"),
        (String(repeating: "a", count: 200), "F29A8043-AAB5-5AA0-BA4C-6B6D08F2110C"),
    ]
}
