import AccessorySettings

extension DiscoveryDevice {
    /// The device of an accessory.
    init(_ accessory: AccessoryConfiguration, _ snapshot: Snapshot, topics: BridgeTopics) {
        let optional: [(String, String?)] = [
            ("manufacturer", accessory.manufacturer), ("model", accessory.model), ("sw_version", accessory.firmware),
            ("hw_version", accessory.hardwareVersion), ("serial_number", accessory.serialNumber),
            ("suggested_area", accessory.room),
        ]
        fields = [
            .init("identifiers", .strings([topics.accessory(accessory.id).values])), .init("name", accessory.name),
        ]
        fields += optional.compactMap { key, value in value.map { .init(key, $0) } }
        fields.append(.init("via_device", Self.bridgeIdentifier(topics)))
        components = snapshot.settings.map { DiscoveryComponent($0, of: accessory, topics: topics) }
    }

    /// How Home Assistant's device registry knows the bridge.
    static func bridgeIdentifier(_ topics: BridgeTopics) -> String { topics.base + "/bridge" }

    /// The bridge as a device of its own.
    static func bridge(_ topics: BridgeTopics) -> DiscoveryDevice {
        let available = DiscoveryComponent.Field("availability", .objects([[.init("topic", topics.state)]]))
        func component(_ id: String, _ platform: String, _ name: String, _ specific: [DiscoveryComponent.Field])
            -> DiscoveryComponent
        {
            DiscoveryComponent(
                id: id, platform: platform,
                fields: [
                    .init("unique_id", "\(topics.base)/bridge/\(id)"), .init("name", name),
                    .init("default_entity_id", DiscoveryNames.entityID(platform, topics.base, id)),
                    .init("entity_category", platform == "button" ? "config" : "diagnostic"),
                ] + specific)
        }
        return DiscoveryDevice(
            fields: [
                .init("identifiers", .strings([bridgeIdentifier(topics)])),
                .init("name", "settings2mqtt (\(topics.base))"),
                .init("manufacturer", "settings2mqtt"), .init("model", "Bridge"), .init("sw_version", Bridge.version),
            ],
            components: [
                // Without availability: with it this could never show that the bridge is off.
                component(
                    "connection", "binary_sensor", "Connection",
                    [
                        .init("state_topic", topics.state), .init("payload_on", "online"),
                        .init("payload_off", "offline"),
                        .init("device_class", "connectivity"),
                    ]),
                component(
                    "version", "sensor", "Version",
                    [.init("state_topic", topics.info), .init("value_template", "{{ value_json.version }}"), available]),
                component(
                    "offline", "sensor", "Accessories offline",
                    [
                        .init("state_topic", topics.health),
                        .init(
                            "value_template",
                            "{{ value_json.accessories.values() | rejectattr('online') | list | count }}"), available,
                    ]),
                component(
                    "refresh", "button", "Refresh all",
                    [
                        .init("command_topic", topics.base + "/bridge/request/refresh"), .init("payload_press", "{}"),
                        available,
                    ]),
            ])
    }
}
