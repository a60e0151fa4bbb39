import Testing

@testable import SettingsBridge

/// What Home Assistant accepts as a device's discovery payload, as far as the bridge makes use of it: everything else is
/// an error here, since an unknown key at the root, or a component without `unique_id`, loses the whole device.
struct DiscoverySchema {
    private var errors: [String] = []

    /// The rules that a payload breaks; an empty payload removes the device and breaks none.
    static func errors(topic: String, prefix: String, _ payload: [UInt8]) -> [String] {
        var schema = DiscoverySchema()
        schema.check(topic: topic, prefix: prefix)
        guard !payload.isEmpty else { return schema.errors }
        do {
            schema.check(root: try JSONValue.parse(payload))
        } catch {
            schema.errors.append(error.reason)
        }
        return schema.errors
    }

    private mutating func check(topic: String, prefix: String) {
        let levels = topic.dropFirst(prefix.count + 1).split(separator: "/", omittingEmptySubsequences: false)
        demand(topic.hasPrefix(prefix + "/") && levels.count == 3, "topic", "must be <prefix>/device/<node>/config")
        for level in levels {
            demand(
                !level.isEmpty && level.unicodeScalars.allSatisfy(Self.isNodeCharacter), "topic",
                "level '\(level)' is dropped")
        }
    }

    private mutating func check(root: JSONValue) {
        guard let root = object(root, "root") else { return }
        allow(["device", "origin", "components"], in: root, "root")
        if let device = object(root["device"], "device") {
            allow(
                [
                    "identifiers", "name", "manufacturer", "model", "sw_version", "hw_version", "serial_number",
                    "suggested_area", "via_device",
                ], in: device, "device")
            demand(strings(device["identifiers"])?.isEmpty == false, "device", "needs identifiers")
            for (key, value) in device where key != "identifiers" {
                demand(string(value)?.isEmpty == false, "device.\(key)", "must be a text that is not empty")
            }
            demand(device["name"] != nil, "device", "needs a name")
        }
        if let origin = object(root["origin"], "origin") {
            allow(["name", "sw_version", "support_url"], in: origin, "origin")
            demand(string(origin["name"]) != nil, "origin", "needs a name")
        }
        guard let components = object(root["components"], "components") else { return }
        var identities: Set<String> = []
        for (id, component) in components {
            demand(id.unicodeScalars.allSatisfy(Self.isNodeCharacter), id, "is no key that can be removed again")
            guard let component = object(component, id) else { continue }
            guard let platform = string(component["platform"]) else {
                demand(false, id, "needs a platform")
                continue
            }
            if component.count == 1 { continue }  // a stub: to be removed
            check(component, platform, id)
            let identity = "\(platform) \(string(component["unique_id"]) ?? "")"
            demand(identities.insert(identity).inserted, id, "has the unique_id of another component")
        }
    }

    private mutating func check(_ component: [String: JSONValue], _ platform: String, _ id: String) {
        let common: Set = [
            "platform", "unique_id", "name", "default_entity_id", "entity_category", "availability",
            "availability_mode",
            "qos", "device_class", "icon", "enabled_by_default",
        ]
        let command: Set = ["command_topic", "command_template"]
        let state: Set = ["state_topic", "value_template"]
        let own: [String: Set<String>] = [
            "switch": state.union(command).union(["payload_on", "payload_off"]),
            "number": state.union(command).union(["min", "max", "step", "mode", "unit_of_measurement"]),
            "select": state.union(command).union(["options"]),
            "text": state.union(command).union(["min", "max", "mode", "pattern"]),
            "sensor": state.union(["unit_of_measurement", "state_class"]),
            "binary_sensor": state.union(["payload_on", "payload_off"]),
            "button": command.union(["payload_press"]),
        ]
        guard let keys = own[platform] else { return demand(false, id, "platform \(platform) is none of ours") }
        // No `retain` and no `optimistic`: neither is among the keys.
        allow(common.union(keys), in: component.filter { $0.key != "name" }, id)
        // An entity whose name is null has that of its device.
        demand(component["name"] == .null || string(component["name"])?.isEmpty == false, id, "needs name")
        for key in ["unique_id", "default_entity_id"] {
            demand(string(component[key])?.isEmpty == false, id, "needs \(key)")
        }
        let entity = string(component["default_entity_id"]) ?? ""
        demand(
            entity.hasPrefix(platform + ".")
                && entity.dropFirst(platform.count + 1).unicodeScalars.allSatisfy {
                    Self.isNodeCharacter($0) && $0 != "-"
                },
            id, "default_entity_id '\(entity)' is none")
        let category = string(component["entity_category"])
        let isReadOnly = platform == "sensor" || platform == "binary_sensor"
        demand(
            category == "diagnostic" || (category == "config" && !isReadOnly), id,
            "has the category \(category ?? "none")")
        if platform != "button" { demand(isTopic(component["state_topic"]), id, "needs a state_topic") }
        if !isReadOnly { demand(isTopic(component["command_topic"]), id, "needs a command_topic") }
        demand(
            component["qos"] == nil, id, "must leave qos at 0, or brokers drop what a busy Home Assistant does not take"
        )
        checkAvailability(component, id)
        if platform == "number" { checkNumber(component, id) }
        if platform == "text" {
            let (low, high) = (number(component["min"]) ?? -1, number(component["max"]) ?? 256)
            demand(low >= 0 && low <= high && high <= 255, id, "text limits must lie within 0 and 255")
        }
        if platform == "select" { checkOptions(component, id) }
        checkUnit(component, id)
    }

    private mutating func checkAvailability(_ component: [String: JSONValue], _ id: String) {
        guard let value = component["availability"] else { return }
        guard case .array(let items) = value else { return demand(false, id, "availability must be a list") }
        let topics = items.compactMap { item -> String? in
            if case .object(let members) = item, members.count == 1 { string(members["topic"]) } else { nil }
        }
        demand(topics.count == items.count, id, "an item of availability must be just a topic")
        demand(Set(topics).count == topics.count, id, "of two items with one topic only the last counts")
        if items.count > 1 {
            demand(string(component["availability_mode"]) == "all", id, "availability_mode must be all")
        }
    }

    private mutating func checkNumber(_ component: [String: JSONValue], _ id: String) {
        guard let low = number(component["min"]), let high = number(component["max"]),
            let step = number(component["step"])
        else { return demand(false, id, "needs min, max and step") }
        demand(low <= high, id, "min is above max")
        demand(step >= 0.001, id, "a step below 0.001 is refused")
        demand(["box", "slider", "auto"].contains(string(component["mode"])), id, "has no known mode")
    }

    private mutating func checkOptions(_ component: [String: JSONValue], _ id: String) {
        guard let options = strings(component["options"]) else { return demand(false, id, "options must be texts") }
        demand(Set(options).count == options.count, id, "has an option twice")
    }

    private mutating func checkUnit(_ component: [String: JSONValue], _ id: String) {
        let unit = string(component["unit_of_measurement"])
        demand(unit != "", id, "an empty unit must be left out")
        if string(component["device_class"]) == "temperature" {
            demand(["°C", "°F", "K"].contains(unit), id, "a temperature must be in °C, °F or K")
        }
    }

    // MARK: Helpers

    private mutating func demand(_ condition: Bool, _ place: String, _ rule: String) {
        if !condition { errors.append("\(place): \(rule)") }
    }

    private mutating func allow(_ keys: Set<String>, in members: [String: JSONValue], _ place: String) {
        for key in members.keys where !keys.contains(key) { errors.append("\(place): unknown key \(key)") }
        for (key, value) in members where value == .null { errors.append("\(place): \(key) must not be null") }
    }

    private mutating func object(_ value: JSONValue?, _ place: String) -> [String: JSONValue]? {
        if case .object(let members) = value { return members }
        errors.append("\(place): must be an object")
        return nil
    }

    private func string(_ value: JSONValue?) -> String? {
        if case .string(let text) = value { text } else { nil }
    }

    private func strings(_ value: JSONValue?) -> [String]? {
        guard case .array(let values) = value else { return nil }
        let texts = values.compactMap { string($0) }
        return texts.count == values.count ? texts : nil
    }

    private func number(_ value: JSONValue?) -> Double? {
        switch value {
        case .integer(let integer): Double(integer)
        case .number(let number): number
        default: nil
        }
    }

    private func isTopic(_ value: JSONValue?) -> Bool {
        guard let topic = string(value) else { return false }
        return !topic.isEmpty && !topic.contains("+") && !topic.contains("#") && !topic.contains("//")
    }

    private static func isNodeCharacter(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar) || scalar == "_"
            || scalar == "-"
    }
}
