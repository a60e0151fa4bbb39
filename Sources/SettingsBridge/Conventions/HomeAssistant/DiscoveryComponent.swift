import AccessorySettings

/// One entity of a device, as a component of its discovery payload.
struct DiscoveryComponent: Sendable, Hashable {
    /// Its key in the payload.
    var id: String
    /// Home Assistant's platform, `switch` and the like.
    var platform: String
    /// Everything after `platform`.
    var fields: [Field]

    struct Field: Sendable, Hashable {
        var key: String
        var value: Value
    }

    enum Value: Sendable, Hashable {
        case string(String)
        case number(Double)
        case strings([String])
        case bool(Bool)
        case objects([[Field]])
        case null
    }
}

extension DiscoveryComponent {
    /// The entity of a setting.
    ///
    /// It has no `qos`, so that Home Assistant subscribes at QoS 0: at QoS 1 a broker keeps only so many messages for a
    /// client that is busy (mosquitto 1,000), and drops the states of the last hundred accessories when it starts.
    ///
    /// - Parameter value: the present value. Home Assistant keeps a stale value where one lies outside the announced
    ///   bounds; so they are widened to include it.
    init(_ setting: Setting, of accessory: AccessoryConfiguration, topics: BridgeTopics) {
        let own = topics.accessory(accessory.id)
        let descriptor = setting.descriptor
        id = DiscoveryNames.component(setting.id)
        let state = own.value(of: setting.id)
        let command = own.set(setting.id)
        let specific: [Field]
        switch descriptor.kind {
        case .toggle:
            platform = "switch"
            specific = Self.toggle(state: state, command: command)
        case .range(let range):
            platform = "number"
            specific = Self.number(range, value: setting.value, state: state, command: command)
        case .enumeration(let options):
            platform = "select"
            specific = Self.select(options, state: state, command: command)
        case .text(_, let maximumLength, let isSecret):
            platform = "text"
            specific = Self.text(
                setting.id, document: own.values, command: command, limit: maximumLength, isSecret: isSecret)
        case .information(let unit):
            platform = "sensor"
            specific = Self.sensor(setting.id, document: own.values) + Self.unit(unit)
        }
        fields = [
            Field("unique_id", state),
            // Without a name of its own an entity has that of its device.
            Field(
                "name",
                DiscoveryNames.name(descriptor.label, of: accessory.name, or: setting.id).map { .string($0) } ?? .null),
            Field("default_entity_id", DiscoveryNames.entityID(platform, accessory.id, setting.id)),
            Field("entity_category", platform == "sensor" ? "diagnostic" : "config"),
            Field(
                "availability",
                .objects(
                    [topics.state, own.availability, own.availability(of: setting.id)].map { [Field("topic", $0)] })),
            Field("availability_mode", "all"),
        ]
        fields += specific
        if let entity = descriptor.entity { apply(entity) }
    }

    /// What the configuration wants otherwise.
    private mutating func apply(_ entity: EntityOptions) {
        // A sensor that says `config` is refused.
        let category = platform == "sensor" ? nil : entity.category
        let wanted: [(key: String, value: Value?)] = [
            ("name", entity.name.map { .string($0) }), ("icon", entity.icon.map { .string($0) }),
            ("device_class", entity.deviceClass.map { .string($0) }),
            ("state_class", platform == "sensor" ? entity.stateClass.map { .string($0) } : nil),
            ("entity_category", category.map { .string($0) }),
            ("enabled_by_default", entity.isEnabledByDefault.map { .bool($0) }),
        ]
        for (key, value) in wanted {
            guard let value else { continue }
            fields.removeAll { $0.key == key }
            fields.append(Field(key, value))
        }
    }

    // MARK: The kinds

    /// An empty message clears a topic, and Home Assistant ignores it; this makes it "unknown".
    private static let emptyIsUnknown = "{{ value | default('None', true) }}"

    private static func toggle(state: String, command: String) -> [Field] {
        [
            Field("state_topic", state), Field("value_template", emptyIsUnknown), Field("command_topic", command),
            Field("payload_on", "ON"), Field("payload_off", "OFF"),
        ]
    }

    private static func number(
        _ range: RangeDescriptor, value: SettingValue?, state: String, command: String
    ) -> [Field] {
        let reading: Double? = if case .number(let number) = value { number } else { nil }
        let (low, high) = limits(range, reading)
        let step = step(range)
        let hasBounds = range.lowerBound != nil && range.upperBound != nil
        var fields = [
            Field("state_topic", state), Field("value_template", within(low, high)), Field("command_topic", command),
            Field("min", .number(low)), Field("max", .number(high)), Field("step", .number(step)),
            Field("mode", hasBounds && (high - low) / step <= 200 ? "slider" : "box"),
        ]
        fields += unit(range.unit)
        return fields
    }

    private static func unit(_ text: String?) -> [Field] {
        guard let (unit, deviceClass) = DiscoveryUnits.unit(text) else { return [] }
        return [Field("unit_of_measurement", unit)] + (deviceClass.map { [Field("device_class", $0)] } ?? [])
    }

    /// Home Assistant has no open ranges and takes 0 to 100 where none is given.
    private static func limits(_ range: RangeDescriptor, _ reading: Double?) -> (low: Double, high: Double) {
        let widest = 1e9
        var low = range.lowerBound ?? min(-widest, range.upperBound ?? 0)
        var high = range.upperBound ?? max(widest, range.lowerBound ?? 0)
        if let reading { (low, high) = (min(low, reading), max(high, reading)) }
        return (low, max(low, high))
    }

    /// Home Assistant takes no step below 0.001; the bridge snaps to the true one.
    private static func step(_ range: RangeDescriptor) -> Double {
        if let step = range.step { return max(step, 0.001) }
        var precision = 0.001
        for digits in 0..<min(max(range.decimalPrecision ?? 3, 0), 3) {
            precision = digits == 0 ? 0.1 : precision / 10
        }
        return range.decimalPrecision == 0 ? 1 : precision
    }

    /// What Home Assistant would refuse, and report as an error, is unknown until wider limits have been announced.
    private static func within(_ low: Double, _ high: Double) -> String {
        let (low, high) = (NumberText.text(low), NumberText.text(high))
        return "{{ value if \(low) <= value | float(1e300) <= \(high) else 'None' }}"
    }

    private static func select(_ options: [EnumerationOption], state: String, command: String) -> [Field] {
        let shown = DiscoveryNames.options(options)
        let toShown = JinjaText.dictionary(zip(options, shown).map { ($0.rawValue, $1) })
        var fields = [
            Field("state_topic", state), Field("value_template", "{{ \(toShown).get(value, 'None') }}"),
            Field("command_topic", command), Field("options", .strings(shown)),
        ]
        if shown != options.map(\.rawValue) {
            let toRaw = JinjaText.dictionary(zip(options, shown).map { ($1, $0.rawValue) })
            fields.append(Field("command_template", "{{ \(toRaw).get(value, value) }}"))
        }
        return fields
    }

    /// From the accessory JSON: an empty text has no topic of its own. What Home Assistant renders is cut at its limit.
    private static func text(
        _ setting: String, document: String, command: String, limit: Int?, isSecret: Bool
    ) -> [Field] {
        let longest = max(min(limit ?? 255, 255), 1)
        return [
            Field("state_topic", document),
            Field("value_template", "\(member(setting)){{ ((text or '') | string)[:\(longest)] }}"),
            Field("command_topic", command), Field("command_template", "{\"value\": {{ value | tojson }}}"),
            Field("min", .number(0)), Field("max", .number(Double(longest))),
            Field("mode", isSecret ? "password" : "text"),
        ]
    }

    private static func sensor(_ setting: String, document: String) -> [Field] {
        [
            Field("state_topic", document),
            Field("value_template", "\(member(setting)){{ 'None' if text is none else (text | string)[:255] }}"),
        ]
    }

    /// Takes a text from the accessory JSON. An entity that is just being removed sees JSON without its setting or with
    /// another kind of value, or none at all; that is no error either.
    private static func member(_ setting: String) -> String {
        "{% set text = (value_json | default({})).get(\(JinjaText.quoted(setting))) %}"
    }
}

extension DiscoveryComponent.Field {
    init(_ key: String, _ value: DiscoveryComponent.Value) {
        self.init(key: key, value: value)
    }

    init(_ key: String, _ value: String) {
        self.init(key: key, value: .string(value))
    }
}
