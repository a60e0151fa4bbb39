import AccessorySettings
import MQTT
import Testing

@testable import SettingsBridge

@Suite("Home Assistant: what is announced") struct DiscoveryTests {
    private let topics = BridgeTopics(base: "settings2mqtt")

    private func accessory(_ id: String = "lr-thermo", name: String = "Living Room") -> AccessoryConfiguration {
        var accessory = AccessoryConfiguration(id: id)
        accessory.name = name
        return accessory
    }

    /// The component of a setting as JSON, checked against the schema.
    private func component(
        _ setting: Setting, of accessory: AccessoryConfiguration? = nil
    ) throws -> [String: JSONValue] {
        let accessory = accessory ?? self.accessory()
        let device = DiscoveryDevice(accessory, Snapshot([setting]), topics: topics)
        let payload = DiscoveryPayload(device: device.fields, components: device.components).json()
        let node = DiscoveryNames.node(base: topics.base, accessory: accessory.id)
        #expect(
            DiscoverySchema.errors(topic: "homeassistant/device/\(node)/config", prefix: "homeassistant", payload) == []
        )
        guard case .object(let root) = try JSONValue.parse(payload), case .object(let components) = root["components"],
            case .object(let component) = components.values.first
        else { throw Refusal(.invalidPayload, "no component") }
        return component
    }

    private func range(_ range: RangeDescriptor, value: Double? = nil) -> Setting {
        Setting(SettingDescriptor(id: "x", label: "X", kind: .range(range)), value: value.map { .number($0) })
    }

    @Test func aToggleIsASwitch() throws {
        let component = try component(
            Setting(SettingDescriptor(id: "power", label: "Power", kind: .toggle()), value: .toggle(true)))
        #expect(component["platform"] == .string("switch"))
        #expect(component["unique_id"] == .string("settings2mqtt/lr-thermo/power"))
        #expect(component["default_entity_id"] == .string("switch.lr_thermo_power"))
        #expect(component["entity_category"] == .string("config"))
        #expect(component["state_topic"] == .string("settings2mqtt/lr-thermo/power"))
        #expect(component["command_topic"] == .string("settings2mqtt/lr-thermo/power/set"))
        #expect(
            component["availability"]
                == .array(
                    [
                        "settings2mqtt/bridge/state", "settings2mqtt/lr-thermo/availability",
                        "settings2mqtt/lr-thermo/power/availability",
                    ].map { .object(["topic": .string($0)]) }))
        #expect(component["availability_mode"] == .string("all"))
    }

    @Test(
        "O02: bounds and step are the declared ones, negative ones too",
        arguments: [
            (RangeDescriptor(lowerBound: 10, upperBound: 3_600, step: 10, unit: "s"), 10.0, 3_600.0, 10.0, "box"),
            (RangeDescriptor(lowerBound: -20, upperBound: 0, step: 1, isInteger: true), -20, 0, 1, "slider"),
            (RangeDescriptor(lowerBound: 0, upperBound: 20, step: 0.1), 0, 20, 0.1, "slider"),
            (RangeDescriptor(lowerBound: 0, upperBound: 20.1, step: 0.1), 0, 20.1, 0.1, "box"),
            (RangeDescriptor(lowerBound: 0, upperBound: 1, step: 0.0001), 0, 1, 0.001, "box"),
            (RangeDescriptor(lowerBound: 0, upperBound: 1), 0, 1, 0.001, "box"),
            (RangeDescriptor(lowerBound: 0, upperBound: 1, decimalPrecision: 1), 0, 1, 0.1, "slider"),
            (RangeDescriptor(lowerBound: 0, upperBound: 1, decimalPrecision: 0), 0, 1, 1, "slider"),
            (RangeDescriptor(lowerBound: 5), 5, 1e9, 0.001, "box"),
            (RangeDescriptor(upperBound: 5), -1e9, 5, 0.001, "box"),
            (RangeDescriptor(isInteger: true), -1e9, 1e9, 1, "box"),
        ] as [(RangeDescriptor, Double, Double, Double, String)])
    func o02Bounds(_ descriptor: RangeDescriptor, _ low: Double, _ high: Double, _ step: Double, _ mode: String) throws
    {
        let component = try component(range(descriptor))
        func json(_ value: Double) -> JSONValue { Int64(exactly: value).map { .integer($0) } ?? .number(value) }
        #expect(component["min"] == json(low))
        #expect(component["max"] == json(high))
        #expect(component["step"] == json(step))
        #expect(component["mode"] == .string(mode))
    }

    @Test func boundsAreWidenedToIncludeTheReading() throws {
        let descriptor = RangeDescriptor(lowerBound: 5, upperBound: 30, step: 0.5)
        #expect(try component(range(descriptor, value: 35))["max"] == .integer(35))
        #expect(try component(range(descriptor, value: 1.5))["min"] == .number(1.5))
        #expect(
            try component(range(descriptor, value: 1.5))["value_template"]
                == .string("{{ value if 1.5 <= value | float(1e300) <= 30 else 'None' }}"))
    }

    @Test(
        "O15: a temperature's unit is spelled right; an unknown unit has no device class",
        arguments: [
            ("C", "°C", "temperature"), ("degC", "°C", "temperature"), ("°C", "°C", "temperature"),
            ("F", "°F", "temperature"),
            ("K", "K", "temperature"), ("furlong", "furlong", nil), ("%", "%", nil), ("min", "min", "duration"),
        ] as [(String, String, String?)])
    func o15Units(_ unit: String, _ announced: String, _ deviceClass: String?) throws {
        let component = try component(range(RangeDescriptor(lowerBound: 0, upperBound: 1, step: 1, unit: unit)))
        #expect(component["unit_of_measurement"] == .string(announced))
        #expect(component["device_class"] == deviceClass.map { .string($0) })
    }

    @Test("O15: without a unit the key is left out")
    func o15NoUnit() throws {
        #expect(try component(range(RangeDescriptor(unit: ""))).keys.contains("unit_of_measurement") == false)
    }

    @Test func anEnumerationIsASelectWithItsLabels() throws {
        let component = try component(
            Setting(
                SettingDescriptor(
                    id: "mode", label: "Mode",
                    kind: .enumeration([
                        EnumerationOption(rawValue: "heat", label: "Heating"),
                        EnumerationOption(rawValue: "it's {{ 1 }}", label: "Côte d'Azur"),
                    ])), value: nil))
        #expect(component["options"] == .array([.string("Heating"), .string("Côte d'Azur")]))
        #expect(
            component["value_template"]
                == .string(
                    #"{{ {'heat': 'Heating', 'it\'s \x7b\x7b 1 \x7d\x7d': 'Côte d\'Azur'}.get(value, 'None') }}"#))
        #expect(
            component["command_template"]
                == .string(#"{{ {'Heating': 'heat', 'Côte d\'Azur': 'it\'s \x7b\x7b 1 \x7d\x7d'}.get(value, value) }}"#)
        )
    }

    @Test(
        "O12: where labels can't be told apart the raw values are the options",
        arguments: [
            [("a", "Same"), ("b", "Same")], [("a", ""), ("b", "B")], [("a", "NONE"), ("b", "B")],
            [("a", "Same"), ("b", "Same ")],
        ])
    func o12RawValues(_ options: [(String, String)]) throws {
        let component = try component(
            Setting(
                SettingDescriptor(
                    id: "mode", label: "Mode",
                    kind: .enumeration(options.map { EnumerationOption(rawValue: $0.0, label: $0.1) })), value: nil))
        #expect(component["options"] == .array([.string("a"), .string("b")]))
        #expect(component["command_template"] == nil)
        // A value that is none of the options would be an error in Home Assistant's log.
        #expect(component["value_template"] == .string("{{ {'a': 'a', 'b': 'b'}.get(value, 'None') }}"))
    }

    @Test("O12: no option is empty or called 'none', and all differ")
    func o12None() {
        func shown(_ options: [(String, String)]) -> [String] {
            DiscoveryNames.options(options.map { EnumerationOption(rawValue: $0.0, label: $0.1) })
        }
        #expect(shown([("none", "None"), ("a", "A")]) == ["(none)", "a"])
        #expect(shown([("(none)", "a"), ("none", "a")]) == ["(none)", "((none))"])
        #expect(shown([("", "a"), ("()", "a")]) == ["()", "(())"])
        #expect(shown([("a", " wide "), ("b", "B")]) == ["wide", "B"])
    }

    @Test("O17: a text is cut at 255 characters and comes from the accessory JSON")
    func o17Text() throws {
        let component = try component(
            Setting(SettingDescriptor(id: "display_text", label: "Text", kind: .text()), value: .text("")))
        #expect(component["state_topic"] == .string("settings2mqtt/lr-thermo"))
        #expect(
            component["value_template"]
                == .string(
                    "{% set text = (value_json | default({})).get('display_text') %}{{ ((text or '') | string)[:255] }}"
                ))
        #expect(component["command_template"] == .string(#"{"value": {{ value | tojson }}}"#))
        #expect(component["max"] == .integer(255))
    }

    @Test func theConfigurationsWishesCount() throws {
        let entity = EntityOptions(
            name: "Fan", icon: "mdi:fan", deviceClass: "frequency", stateClass: "measurement", category: "diagnostic",
            isEnabledByDefault: false)
        let number = try component(
            Setting(
                SettingDescriptor(
                    id: "x", label: "X", kind: .range(RangeDescriptor(lowerBound: 0, upperBound: 9, unit: "Hz")),
                    entity: entity), value: nil))
        #expect(number["name"] == .string("Fan"))
        #expect(number["icon"] == .string("mdi:fan"))
        #expect(number["device_class"] == .string("frequency"))
        #expect(number["entity_category"] == .string("diagnostic"))
        #expect(number["enabled_by_default"] == .bool(false))
        #expect(number["state_class"] == nil, "only sensors have one")
        let sensor = try component(
            Setting(
                SettingDescriptor(
                    id: "t", label: "T", kind: .information(unit: "C"),
                    entity: EntityOptions(stateClass: "measurement", category: "config")), value: .text("21.5")))
        #expect(sensor["unit_of_measurement"] == .string("°C"))
        #expect(sensor["device_class"] == .string("temperature"))
        #expect(sensor["state_class"] == .string("measurement"))
        #expect(sensor["entity_category"] == .string("diagnostic"), "a sensor that says config is refused")
    }

    @Test func aSecretIsTypedLikeAPassword() throws {
        let component = try component(
            Setting(
                SettingDescriptor(id: "k", label: "K", kind: .text(maximumLength: 20, isSecret: true)), value: nil))
        #expect(component["mode"] == .string("password"))
        #expect(component["max"] == .integer(20))
    }

    @Test func informationIsADiagnosticSensor() throws {
        let component = try component(
            Setting(SettingDescriptor(id: "current", label: "Current", kind: .information()), value: .text("20.5")))
        #expect(component["platform"] == .string("sensor"))
        #expect(component["entity_category"] == .string("diagnostic"))
        #expect(component["command_topic"] == nil)
    }

    @Test(
        "O13: the device's name is not repeated",
        arguments: [
            ("Living Room Power", "Power"), ("Target temperature", "Target temperature"), ("living room: fan", "Fan"),
            ("living room ", nil), ("Living Roommate", "Living Roommate"), ("", "x"),
        ] as [(String, String?)])
    func o13Names(_ label: String, _ name: String?) throws {
        let component = try component(
            Setting(SettingDescriptor(id: "x", label: label, kind: .toggle()), value: nil))
        #expect(component["name"] == name.map { .string($0) } ?? .null)
    }

    @Test(
        "O01: names in any script have legal topics and ids, and distinct ones",
        arguments: [
            "Küche Süd", "flex 2.5g", "Pump #1", "Delta +1", "客厅", "🙂", "a/b",
        ])
    func o01Names(_ name: String) throws {
        let setting = Setting(SettingDescriptor(id: name, label: name, kind: .toggle()), value: nil)
        let component = try component(setting, of: accessory(name, name: name))
        #expect(component["unique_id"] == .string(topics.accessory(name).value(of: name)))
        #expect(
            DiscoveryNames.node(base: "b", accessory: name) != DiscoveryNames.node(base: "b", accessory: name + " "))
    }

    @Test func theBridgeIsADeviceItself() {
        let device = DiscoveryDevice.bridge(topics)
        let payload = DiscoveryPayload(device: device.fields, components: device.components).json()
        #expect(DiscoverySchema.errors(topic: "homeassistant/device/x/config", prefix: "homeassistant", payload) == [])
        #expect(RetainedDiscovery(payload)?.isOf(bridge: "settings2mqtt/bridge") == true)
        #expect(RetainedDiscovery(payload)?.isOf(bridge: "other/bridge") == false)
        let connection = device.components.first { $0.platform == "binary_sensor" }
        #expect(connection?.fields.contains { $0.key == "availability" } == false)
    }

    @Test func theSchemaSeesWhatHomeAssistantRefuses() {
        func errors(_ payload: String) -> [String] {
            DiscoverySchema.errors(topic: "homeassistant/device/x/config", prefix: "homeassistant", Array(payload.utf8))
        }
        #expect(!errors("{}").isEmpty)
        #expect(
            !errors(
                #"{"device":{"identifiers":["a"],"name":"A"},"origin":{"name":"o"},"components":{},"retain":false}"#
            ).isEmpty)
        #expect(
            errors(
                #"{"device":{"identifiers":["a"],"name":"A"},"origin":{"name":"o"},"components":{"x":{"platform":"switch"}}}"#
            ) == [])
        #expect(
            !errors(
                #"{"device":{"identifiers":["a"],"name":"A"},"origin":{"name":"o"},"components":{"x":{"platform":"switch","name":"X"}}}"#
            ).isEmpty)
    }
}

@Suite("Home Assistant: when it is announced") struct DiscoveryPlanTests {
    private let start = ContinuousClock.now

    private func device(_ components: [String: String], name: String = "Lamp") -> DiscoveryDevice {
        DiscoveryDevice(
            fields: [.init("name", name)],
            components: components.sorted { $0.key < $1.key }.map {
                DiscoveryComponent(id: $0.key, platform: $0.value, fields: [.init("name", $0.key)])
            })
    }

    private func content(_ payload: DiscoveryPayload?) -> [String]? {
        payload.map { payload in
            payload.stubs.map { "-\($0.id):\($0.platform)" } + payload.components.map { "\($0.id):\($0.platform)" }
        }
    }

    private func at(_ seconds: Double) -> ContinuousClock.Instant { start.advanced(by: .seconds(seconds)) }

    @Test func anUnchangedDeviceIsAnnouncedOnce() {
        var plan = DiscoveryPlan()
        #expect(content(plan.want(device(["a": "switch"]), always: false, at: at(0))) == ["a:switch"])
        #expect(plan.want(device(["a": "switch"]), always: false, at: at(10)) == nil)
        #expect(content(plan.want(device(["a": "switch"]), always: true, at: at(10))) == ["a:switch"])
    }

    @Test func payloadsAreTwoSecondsApartAndTheLastGoesOut() {
        var plan = DiscoveryPlan()
        _ = plan.want(device(["a": "switch"]), always: false, at: at(0))
        for name in ["1", "2", "3"] {
            #expect(plan.want(device(["a": "switch"], name: name), always: false, at: at(0.5)) == nil)
        }
        #expect(plan.due == at(2))
        #expect(plan.sendDue(at: at(1)) == nil)
        #expect(plan.sendDue(at: at(2))?.device == [.init("name", "3")])
        #expect(plan.due == nil)
    }

    @Test("O16: what vanished is announced as a stub, then left out")
    func o16Stub() {
        var plan = DiscoveryPlan()
        _ = plan.want(device(["a": "switch", "b": "number"]), always: false, at: at(0))
        #expect(content(plan.want(device(["a": "switch"]), always: false, at: at(5))) == ["-b:number", "a:switch"])
        #expect(plan.due == at(7))
        #expect(content(plan.sendDue(at: at(7))) == ["a:switch"])
        #expect(plan.due == nil)
    }

    @Test func aRemovalIsRepeatedForWhoMayNotHaveSeenIt() {
        var plan = DiscoveryPlan()
        _ = plan.want(device(["a": "switch", "b": "number"]), always: false, at: at(0))
        _ = plan.want(device(["a": "switch"]), always: false, at: at(5))
        _ = plan.sendDue(at: at(7))
        #expect(content(plan.want(device(["a": "switch"]), always: true, at: at(20))) == ["-b:number", "a:switch"])
        #expect(content(plan.sendDue(at: at(22))) == ["a:switch"])
        #expect(
            content(plan.want(device(["a": "switch", "b": "number"]), always: true, at: at(30))) == [
                "a:switch", "b:number",
            ])
    }

    @Test func aChangedPlatformIsRemovedFirst() {
        var plan = DiscoveryPlan()
        _ = plan.want(device(["a": "switch", "b": "number"]), always: false, at: at(0))
        #expect(
            content(plan.want(device(["a": "switch", "b": "text"]), always: false, at: at(5))) == [
                "-b:number", "a:switch",
            ])
        #expect(content(plan.sendDue(at: at(7))) == ["a:switch", "b:text"])
    }

    @Test func whatAnEarlierRunAnnouncedIsRemovedToo() {
        var plan = DiscoveryPlan(announced: ["old": "select", "a": "text"])
        #expect(content(plan.want(device(["a": "switch"]), always: true, at: at(0))) == ["-a:text", "-old:select"])
        #expect(content(plan.sendDue(at: at(2))) == ["a:switch"])
    }

    @Test func aSettingThatComesBackWithinThePauseStays() {
        var plan = DiscoveryPlan()
        _ = plan.want(device(["a": "switch", "b": "number"]), always: false, at: at(0))
        _ = plan.want(device(["a": "switch"]), always: false, at: at(1))
        _ = plan.want(device(["a": "switch", "b": "number"]), always: false, at: at(1.5))
        #expect(content(plan.sendDue(at: at(2))) == ["a:switch", "b:number"])
    }
}
