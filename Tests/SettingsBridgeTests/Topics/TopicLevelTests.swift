import Testing

@testable import SettingsBridge

@Suite struct TopicLevelTests {
    @Test(arguments: [
        ("target_temp", "target_temp"),
        ("Küche Süd", "Küche Süd"),
        ("panel/brightness", "panel%2Fbrightness"),
        ("Pump #1", "Pump %231"),
        ("Delta +1", "Delta %2B1"),
        ("100%", "100%25"),
        ("$SYS", "%24SYS"),
        ("a$b", "a$b"),
        ("tab\u{9}", "tab%09"),
        ("\u{7F}", "%7F"),
        ("\u{85}", "%C2%85"),
        ("\u{FFFE}", "%EF%BF%BE"),
        ("set", "%73et"),
        ("get", "%67et"),
        ("availability", "%61vailability"),
        ("settings", "%73ettings"),
        ("bridge", "bridge"),
        ("Set", "Set"),
    ])
    func settingBecomesALevelAndBack(_ identifier: String, _ level: String) {
        #expect(TopicLevel.encode(setting: identifier) == level)
        #expect(TopicLevel.decode(Substring(level)) == identifier)
    }

    @Test func onlyBridgeIsReservedForAccessories() {
        #expect(TopicLevel.encode(accessory: "bridge") == "%62ridge")
        #expect(TopicLevel.encode(accessory: "set") == "set")
    }

    @Test(arguments: ["%", "%2", "%2f", "%GG", "%FF"])
    func whatIsNoEncodingIsNoIdentifier(_ level: String) {
        #expect(TopicLevel.decode(Substring(level)) == nil)
    }

    @Test("O01: distinct names have distinct levels without wildcards")
    func o01DistinctLevels() {
        let names = [
            "Küche Süd", "flex 2.5g", "Pump #1", "Delta +1", "a/b", "a%2Fb", "a", "set", "%73et", "K\u{FC}che",
            "Ku\u{308}che",
        ]
        let levels = names.map { Array(TopicLevel.encode(setting: $0).utf8) }
        #expect(Set(levels).count == names.count)
        for level in levels {
            #expect(
                !level.contains(UInt8(ascii: "+")) && !level.contains(UInt8(ascii: "#"))
                    && !level.contains(UInt8(ascii: "/")))
        }
    }
}
