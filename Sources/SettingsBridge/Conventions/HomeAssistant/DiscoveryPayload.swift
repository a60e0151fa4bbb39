import Foundation

/// The payload of `<prefix>/device/<node>/config`.
struct DiscoveryPayload {
    static let originName = "settings2mqtt"

    /// The device block, in order.
    var device: [DiscoveryComponent.Field]
    var components: [DiscoveryComponent]
    /// Components to be removed: key and platform, nothing more.
    var stubs: [(id: String, platform: String)] = []
    /// Whether it changes what this run announced before.
    var isUpdate = false

    func json() -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.key("device")
            json.object { $0.fields(device) }
            json.key("origin")
            json.object {
                $0.field("name", Self.originName)
                $0.field("sw_version", Bridge.version)
            }
            json.key("components")
            json.object { json in
                for stub in stubs {
                    json.key(stub.id)
                    json.object { $0.field("platform", stub.platform) }
                }
                for component in components {
                    json.key(component.id)
                    json.object {
                        $0.field("platform", component.platform)
                        $0.fields(component.fields)
                    }
                }
            }
        }
        return json.bytes
    }
}

extension JSONWriter {
    fileprivate mutating func fields(_ fields: [DiscoveryComponent.Field]) {
        for field in fields {
            key(field.key)
            switch field.value {
            case .string(let text): string(text)
            case .number(let value): number(value)
            case .bool(let flag): bool(flag)
            case .null: null()
            case .strings(let texts): array { for text in texts { $0.string(text) } }
            case .objects(let objects): array { for object in objects { $0.object { $0.fields(object) } } }
            }
        }
    }
}

/// A discovery payload that lies retained on the broker, as far as it matters to clear up after it.
struct RetainedDiscovery: Decodable {
    private struct Device: Decodable {
        var identifiers: [String]?
        var viaDevice: String?

        private enum CodingKeys: String, CodingKey {
            case identifiers
            case viaDevice = "via_device"
        }
    }
    private struct Origin: Decodable { var name: String }
    private struct Component: Decodable { var platform: String? }

    private var device: Device
    private var origin: Origin
    private var components: [String: Component]?

    init?(_ payload: [UInt8]) {
        guard let value = try? JSONDecoder().decode(Self.self, from: Data(payload)) else { return nil }
        self = value
    }

    /// Whether the bridge with this identifier announced it: its own device, or one behind it.
    func isOf(bridge: String) -> Bool {
        origin.name == DiscoveryPayload.originName
            && (device.viaDevice == bridge || device.identifiers?.contains(bridge) == true)
    }

    /// Platforms by component.
    var platforms: [String: String] {
        (components ?? [:]).compactMapValues(\.platform)
    }
}
