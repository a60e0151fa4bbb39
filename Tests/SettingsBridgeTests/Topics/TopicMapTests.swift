import MQTT
import Testing

@testable import SettingsBridge

@Suite struct TopicMapTests {
    private let map = TopicMap(base: "house/bridge", accessories: ["hallway", "Pump #1", "K\u{FC}che"])

    @Test(arguments: [
        ("house/bridge/hallway", Route.accessory(id: "hallway", .state(.values))),
        ("house/bridge/hallway/set", .accessory(id: "hallway", .set(setting: nil))),
        ("house/bridge/hallway/get", .accessory(id: "hallway", .get(setting: nil))),
        ("house/bridge/hallway/availability", .accessory(id: "hallway", .state(.availability))),
        ("house/bridge/hallway/settings", .accessory(id: "hallway", .state(.descriptors))),
        ("house/bridge/hallway/eco", .accessory(id: "hallway", .state(.value(setting: "eco")))),
        ("house/bridge/hallway/eco/set", .accessory(id: "hallway", .set(setting: "eco"))),
        ("house/bridge/hallway/eco/get", .accessory(id: "hallway", .get(setting: "eco"))),
        ("house/bridge/hallway/%73et/set", .accessory(id: "hallway", .set(setting: "set"))),
        ("house/bridge/hallway/a%2Fb/set", .accessory(id: "hallway", .set(setting: "a/b"))),
        (
            "house/bridge/hallway/eco/availability",
            .accessory(id: "hallway", .state(.settingAvailability(setting: "eco")))
        ),
        ("house/bridge/Pump %231/set", .accessory(id: "Pump #1", .set(setting: nil))),
        ("house/bridge/hallway/%65co/get", .unknownSetting(accessory: "hallway", level: "%65co", isGet: true)),
        ("house/bridge/hallway/settings/set", .unknownSetting(accessory: "hallway", level: "settings", isGet: false)),
        ("house/bridge/hallw%61y/set", .unknownAccessory(id: "hallway", .set(setting: nil))),
        ("house/bridge/Pump %23%31/set", .unknownAccessory(id: "Pump #1", .set(setting: nil))),
        ("house/bridge/%zz/eco/set", .unknownAccessory(id: "%zz", .set(setting: "eco"))),
        ("house/bridge/attic", .ignored),
        ("house/bridge/attic/eco/set", .unknownAccessory(id: "attic", .set(setting: "eco"))),
        ("house/bridge/bridge/request/refresh", .request(verb: "refresh")),
        ("house/bridge/bridge/state", .bridgeState(topic: "house/bridge/bridge/state")),
        ("house/bridge/bridge/set", .ignored),
        ("house/bridge/hallway/eco/other", .ignored),
        ("house/bridge/hallway/eco/set/set", .ignored),
        ("house/bridge/hallway/%zz/set", .unknownSetting(accessory: "hallway", level: "%zz", isGet: false)),
        ("house/bridge//set", .ignored),
        ("house/other/hallway/set", .ignored),
        ("house/bridge", .ignored),
    ])
    func topicHasARoute(_ topic: String, _ route: Route) {
        #expect(map.route(topic) == route)
    }

    @Test func namesAreComparedByBytes() {
        // A decomposed ü is canonically the same text, but another topic.
        #expect(map.route("house/bridge/Ku\u{308}che/set") == .unknownAccessory(id: "Ku\u{308}che", .set(setting: nil)))
        #expect(map.route("house/bridge/K\u{FC}che/set") == .accessory(id: "K\u{FC}che", .set(setting: nil)))
    }

    @Test func subscriptionsDoNotOverlap() {
        #expect(map.subscriptions(.v5).map(\.filter) == ["house/bridge/+", "house/bridge/+/+", "house/bridge/+/+/+"])
        #expect(
            map.subscriptions(.v311).map(\.filter) == [
                "house/bridge/+/set", "house/bridge/+/get", "house/bridge/+/+/+",
            ])
        for subscription in map.subscriptions(.v5) {
            #expect(subscription.noLocal && subscription.retainAsPublished && subscription.retainHandling == .never)
        }
    }
}
