import HomeKit
import Testing

@testable import SettingsBridge

@Suite("Configuration faults")
struct ConfigurationFaultTests {
    @Test(arguments: [
        ("[]", ["1:1: the configuration must be an object: { … }, found a list"]),
        ("{ timout: 5 }", ["1:3: unknown key 'timout'; did you mean 'timeout'?"]),
        (
            "{ mqtt: { 'base-topic': 'a', Server: 'mqtt://a' } }",
            [
                "1:11: mqtt: unknown key 'base-topic'; did you mean 'base_topic'?",
                "1:30: mqtt: unknown key 'Server'; did you mean 'server'?",
            ]
        ),
        ("{ log: { colour: true } }", ["1:10: log: unknown key 'colour'; the keys here are level, format"]),
        (
            "{\n mqtt: 5,\n mqtt: {} }",
            [
                "2:8: mqtt: must be an object: { … }, found a number",
                "3:2: duplicate key 'mqtt'; it stands at line 2 already",
            ]
        ),
        (
            "{ log: { level: 'warn' } }",
            [
                "1:17: log.level: must be one of debug, info, warning, error, found 'warn'"
            ]
        ),
        (
            "{ log: { level: 'Info' } }",
            [
                "1:17: log.level: must be one of debug, info, warning, error, found 'Info'; did you mean 'info'?"
            ]
        ),
        ("{ offline_after: 0 }", ["1:18: offline_after: must be a whole number from 1 to 1000, found 0"]),
        ("{ offline_after: 1.5 }", ["1:18: offline_after: must be a whole number from 1 to 1000, found 1.5"]),
        (
            "{ offline_after: 1e999 }",
            [
                "1:18: offline_after: must be a whole number from 1 to 1000, found an infinite number"
            ]
        ),
        ("{ offline_after: NaN }", ["1:18: offline_after: must be a whole number from 1 to 1000, found NaN"]),
        ("{ offline_after: 1e300 }", ["1:18: offline_after: must be a whole number from 1 to 1000, found 1e+300"]),
        (
            "{ home_assistant: { enabled: 'true' } }",
            [
                "1:30: home_assistant.enabled: must be true or false without quotes, found a string"
            ]
        ),
        (
            "{ home_assistant: { enabled: 1 } }",
            [
                "1:30: home_assistant.enabled: must be true or false, found a number"
            ]
        ),
        ("{ accessories: {} }", ["1:16: accessories: must be a list of objects: [ { … } ], found an object"]),
        ("{ accessories: [ 1 ] }", ["1:18: accessories[0]: must be an object: { … }, found a number"]),
        ("{ accessories: [ {} ] }", ["1:18: accessories[0].id: is missing"]),
        ("{ accessories: [ { id: '' } ] }", ["1:24: accessories[0].id: must not be empty"]),
        (
            "{ accessories: [ { id: 'a', name: '' } ] }",
            [
                "1:35: accessories[0].name: must not be empty; leave the key out instead"
            ]
        ),
        (
            "{ accessories: [ { id: 'a', name: 'b\\n' } ] }",
            [
                "1:35: accessories[0].name: must not contain the control character U+000A"
            ]
        ),
        (
            "{ accessories: [\n { id: 'a' },\n { id: 'b' },\n { id: 'a' } ] }",
            [
                "4:8: accessories[2].id: 'a' is the id of the accessory at line 2 already"
            ]
        ),
        (
            "{ accessories: [ { id: 'a', category: 'lamp' } ] }",
            [
                "1:39: accessories[0].category: must be one of "
                    + HMAccessoryCategory.words.joined(separator: ", ") + ", found 'lamp'"
            ]
        ),
        (
            "{ accessories: [ { id: 'a', uuid: '12' } ] }",
            [
                "1:35: accessories[0].uuid: must be a UUID such as 3F2504E0-4F89-41D3-9A0C-0305E82C3301"
            ]
        ),
        (
            "{ accessories: [ { id: 'a', provider: {} } ] }",
            [
                "1:39: accessories[0].provider.type: is missing; it must be one of simulated, http"
            ]
        ),
        (
            "{ accessories: [ { id: 'a', provider: { type: 'htp', url: 5 } } ] }",
            [
                "1:47: accessories[0].provider.type: must be one of simulated, http, found 'htp'; did you mean 'http'?"
            ]
        ),
        (
            "{ accessories: [ { id: 'a', provider: 'http' } ] }",
            [
                "1:39: accessories[0].provider: must be an object: { … }, found a string"
            ]
        ),
        (
            "{ accessories: [ { id: 'a', provider: { type: 'http', modell: 'x', offset: 2, arguments: [1, 'b'] } } ] }",
            [
                "1:55: accessories[0].provider: unknown key 'modell'; did you mean 'model'?",
                "1:76: accessories[0].provider.offset: must be a number from -1 to 1, found 2",
                "1:91: accessories[0].provider.arguments[0]: must be a string, found a number",
            ]
        ),
        (
            "{ accessories: [ { id: 'a', provider: { type: 'http', settings: [ { id: 'x', i: 1 }, {} ] } } ] }",
            [
                "1:78: accessories[0].provider.settings[0]: unknown key 'i'; did you mean 'id'?",
                "1:86: accessories[0].provider.settings[1].id: is missing",
            ]
        ),
    ])
    func sentences(text: String, sentences: [String]) {
        #expect(configurationFaults(text) == sentences.map { "settings2mqtt.json:" + $0 })
    }

    @Test func everyFaultIsReportedAtOnceInTheOrderOfTheFile() {
        let text = """
            {
              "timeout": 0,
              "mqtt": { "server": "localhost", "keepalive": 3 },
              "accessories": [
                { "name": 5 },
                { "id": "a", "offline_after": -1, "provider": { "type": "mqtt" } }
              ],
              "colour": "red"
            }
            """
        #expect(
            configurationFaults(text) == [
                "settings2mqtt.json:2:14: timeout: must be 1ms to 10m, found 0 seconds",
                "settings2mqtt.json:3:23: mqtt.server: must begin with mqtt:// or mqtts://, as in mqtt://localhost:1883",
                "settings2mqtt.json:3:49: mqtt.keepalive: must be 0 or 5s to 65535s in whole seconds, found 3 seconds",
                "settings2mqtt.json:5:5: accessories[0].id: is missing",
                "settings2mqtt.json:5:15: accessories[0].name: must be a string, found a number",
                "settings2mqtt.json:6:35: accessories[1].offline_after: must be a whole number from 1 to 1000, found -1",
                "settings2mqtt.json:6:61: accessories[1].provider.type: must be one of simulated, http, found 'mqtt'",
                "settings2mqtt.json:8:3: unknown key 'colour'; the keys here are mqtt, home_assistant, "
                    + "refresh_interval, timeout, offline_after, health_interval, log, accessories",
            ])
    }

    @Test func aProviderMayBeRequired() {
        let text =
            "{ accessories: [ { id: 'a' }, { id: 'b', provider: null }, { id: 'c', provider: { type: 'http' } } ] }"
        #expect(configurationFaults(text).isEmpty)
        #expect(
            configurationFaults(text, accessoriesNeedProvider: true) == [
                "settings2mqtt.json:1:18: accessories[0].provider: is missing; it says how the accessory is reached",
                "settings2mqtt.json:1:31: accessories[1].provider: is missing; it says how the accessory is reached",
            ])
    }

    @Test("Every key refuses a value of the wrong type once, at its place, and takes null for absent")
    func wrongTypes() throws {
        let rules = try BridgeConfiguration.parse(
            Array(SampleConfiguration.complete.utf8), file: "f", environment: ["MQTT_PASSWORD": "p"],
            factories: SampleConfiguration.factories
        ).rules
        #expect(rules.count > 30)
        for rule in rules where !rule.path.contains("*") {
            let isCompound = [.section, .sections, .strings].contains(rule.kind)
            let wrong = isCompound ? "5" : "[]"
            let found = configurationFaults(configurationText(rule.path, wrong))
            #expect(found.count == 1, "\(rule.path): \(found)")
            let path = rule.path.replacing("[]", with: "[0]")
            #expect(found.first?.hasPrefix("settings2mqtt.json:2:1: \(path): must be ") == true, "\(found)")
            let absent = configurationFaults(configurationText(rule.path, "null"))
            let isMissed = rule.isRequired && absent.count == 1 && absent[0].contains("\(path): is missing")
            #expect(rule.isRequired ? isMissed : absent.isEmpty, "\(rule.path): \(absent)")
        }
    }
}
