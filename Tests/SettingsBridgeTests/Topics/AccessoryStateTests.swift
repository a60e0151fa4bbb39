import Testing

@testable import SettingsBridge

/// Reading state topics without knowing the accessories.
@Suite struct AccessoryStateTests {
    private let topics = BridgeTopics(base: "home/s2m")

    @Test(arguments: [
        ("home/s2m/hallway/availability", AccessoryState.availability(accessory: "hallway")),
        ("home/s2m/hallway/eco", .value(accessory: "hallway", setting: "eco")),
        ("home/s2m/hallway/eco/availability", .settingAvailability(accessory: "hallway", setting: "eco")),
        ("home/s2m/%62ridge/%61vailability", .value(accessory: "bridge", setting: "availability")),
        ("home/s2m/a%2Fb/100%25", .value(accessory: "a/b", setting: "100%")),
    ])
    func states(_ topic: String, _ expected: AccessoryState) {
        #expect(topics.accessoryState(topic) == expected)
    }

    @Test(arguments: [
        "home/s2m", "home/s2m/hallway", "home/s2m/hallway/settings", "home/s2m/hallway/set", "home/s2m/hallway/get",
        "home/s2m/hallway/eco/set", "home/s2m/hallway/eco/availability/x", "home/s2m/bridge/state", "home/other/a/b",
        "home/s2m/bridge/request/set", "home/s2m/hallway/%zz",
    ])
    func others(_ topic: String) {
        #expect(topics.accessoryState(topic) == nil)
    }

    @Test func everyValueTopicIsReadAsItWasWritten() {
        for name in ["eco", "set", "get", "availability", "settings", "$x", "a/b+#%", "Küche", "\t"] {
            let own = topics.accessory(name)
            #expect(topics.accessoryState(own.availability) == .availability(accessory: name))
            #expect(topics.accessoryState(own.value(of: name)) == .value(accessory: name, setting: name))
        }
    }
}
