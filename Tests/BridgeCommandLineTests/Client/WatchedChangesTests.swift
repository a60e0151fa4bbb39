import Foundation
import MQTT
import SettingsBridge
import Testing

@testable import BridgeCommandLine

@Suite struct WatchedChangesTests {
    private var changes = WatchedChanges(BridgeTopics(base: "home/s2m"))
    private let time = Date(timeIntervalSince1970: 1_796_018_400.7)

    private mutating func take(_ topic: String, _ payload: String, isRetained: Bool = false) -> WatchedChange? {
        changes.take(MQTTMessage(topic: "home/s2m/" + topic, payload: payload, isRetained: isRetained))
    }

    @Test mutating func `what is retained at first is where changes start from`() {
        #expect(take("hallway/eco", "OFF", isRetained: true) == nil)
        #expect(take("hallway/eco", "OFF") == nil, "published again, unchanged")
        #expect(take("hallway/eco", "ON") == .value(accessory: "hallway", setting: "eco", "ON"))
        #expect(
            take("hallway/eco", "OFF", isRetained: true) == .value(accessory: "hallway", setting: "eco", "OFF"),
            "changed while there was no connection")
    }

    @Test mutating func `what nobody knew before is a change`() {
        #expect(take("hallway/note", "") == nil, "nothing was retained there: it was empty before")
        #expect(take("hallway/note", "x") == .value(accessory: "hallway", setting: "note", "x"))
        #expect(take("hallway/note", "") == .value(accessory: "hallway", setting: "note", nil))
        #expect(take("hallway/availability", "online") == .accessory("hallway", isOnline: true))
    }

    @Test mutating func `that the bridge is offline is told at first too, that it is online is not`() {
        #expect(take("bridge/state", "offline", isRetained: true) == .bridge(isOnline: false))
        #expect(take("bridge/state", "online") == .bridge(isOnline: true))
        var others = WatchedChanges(BridgeTopics(base: "b"))
        #expect(others.take(MQTTMessage(topic: "b/bridge/state", payload: "online", isRetained: true)) == nil)
    }

    @Test mutating func `names are decoded`() {
        #expect(
            take("a%2Fb/%73et/availability", "offline")
                == .availability(accessory: "a/b", setting: "set", isAvailable: false))
        #expect(take("%62ridge/100%25", "1") == .value(accessory: "bridge", setting: "100%", "1"))
    }

    @Test(arguments: [
        "hallway", "hallway/settings", "hallway/set", "hallway/get", "hallway/eco/set", "hallway/eco/get",
        "bridge/info", "bridge/health", "bridge/response/set", "hallway/100%",
    ])
    mutating func `other topics are nobody's change`(_ topic: String) {
        #expect(take(topic, "x") == nil)
    }

    @Test(arguments: [
        (
            WatchedChange.value(accessory: "hallway", setting: "eco", "ON"), "hallway eco ON",
            #""accessory":"hallway","setting":"eco","value":"ON""#
        ),
        (
            .value(accessory: "hallway", setting: "note", nil), "hallway note (unreadable or empty)",
            #""accessory":"hallway","setting":"note","value":null"#
        ),
        (
            .value(accessory: "hallway", setting: "note", "a\n\u{1B}b"), #"hallway note a\n\u{1B}b"#,
            #""accessory":"hallway","setting":"note","value":"a\n\u001bb""#
        ),
        (
            .accessory("hallway", isOnline: false), "hallway (offline)",
            #""accessory":"hallway","availability":"offline""#
        ),
        (
            .availability(accessory: "hallway", setting: "boost", isAvailable: false), "hallway boost (unavailable)",
            #""accessory":"hallway","setting":"boost","availability":"offline""#
        ),
        (.bridge(isOnline: true), "(bridge online)", #""bridge":"online""#),
    ])
    func `a change is one line`(_ change: WatchedChange, _ line: String, _ json: String) {
        #expect(change.line(at: time) == "2026-11-30T06:00:00Z " + line)
        #expect(change.json(at: time) == #"{"time":"2026-11-30T06:00:00Z","# + json + "}")
    }
}
