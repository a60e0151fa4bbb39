import AccessorySettings
import Foundation

/// The payload of `<base>/<acc>/settings`: what a user interface needs to draw the settings, and what a later run needs
/// to know which topics there are.
enum Descriptors {
    static func json(_ accessory: AccessoryConfiguration, _ snapshot: Snapshot) -> [UInt8] {
        var json = JSONWriter()
        json.object { describe(accessory, snapshot, in: &$0) }
        return json.bytes
    }

    /// Writes the accessory and its settings.
    ///
    /// - Parameter snapshot: `nil` for an accessory that was not read yet: without settings.
    static func describe(_ accessory: AccessoryConfiguration, _ snapshot: Snapshot?, in json: inout JSONWriter) {
        json.key("accessory")
        json.object { describe(accessory, in: &$0) }
        json.key("settings")
        json.array {
            for setting in snapshot?.settings ?? [] {
                $0.object { describe(setting.descriptor, in: &$0) }
            }
        }
    }

    /// The accessory and the setting identifiers in a payload of this form; `nil` for anything else.
    static func identifiers(in payload: [UInt8]) -> (accessory: String, settings: [String])? {
        struct Document: Decodable {
            struct Identified: Decodable { var id: String }
            var accessory: Identified
            var settings: [Identified]
        }
        guard let document = try? JSONDecoder().decode(Document.self, from: Data(payload)) else { return nil }
        return (document.accessory.id, document.settings.map(\.id))
    }

    private static func describe(_ accessory: AccessoryConfiguration, in json: inout JSONWriter) {
        json.field("id", accessory.id)
        json.field("name", accessory.name)
        json.field("room", accessory.room)
        json.field("manufacturer", accessory.manufacturer)
        json.field("model", accessory.model)
        json.field("firmware", accessory.firmware)
        json.field("hw_version", accessory.hardwareVersion)
        json.field("serial_number", accessory.serialNumber)
        json.field("category", accessory.category)
        json.field("uuid", accessory.uuid.uuidString)
    }

    private static func describe(_ setting: SettingDescriptor, in json: inout JSONWriter) {
        json.field("id", setting.id)
        json.field("kind", setting.kind.name)
        json.field("label", setting.label)
        json.field("detail", setting.detail)
        switch setting.kind {
        case .toggle(let onLabel, let offLabel):
            json.field("on_label", onLabel)
            json.field("off_label", offLabel)
        case .range(let range):
            for (key, value) in [("min", range.lowerBound), ("max", range.upperBound), ("step", range.step)] {
                guard let value else { continue }
                json.key(key)
                json.number(value)
            }
            json.field("unit", range.unit)
        case .enumeration(let options):
            json.key("options")
            json.array {
                for option in options {
                    $0.object {
                        $0.field("value", option.rawValue)
                        $0.field("label", option.label)
                    }
                }
            }
        case .text(let placeholder, let maximumLength, let isSecret):
            json.field("placeholder", placeholder)
            if let maximumLength {
                json.key("max_length")
                json.integer(maximumLength)
            }
            if isSecret {
                json.key("secret")
                json.bool(true)
            }
        case .information(let unit): json.field("unit", unit)
        }
        json.key("enabled")
        json.bool(setting.isEnabled)
        json.key("hidden")
        json.bool(setting.isHidden)
    }
}

extension SettingKind {
    /// The kind's name in `settings`.
    var name: String {
        switch self {
        case .toggle: "toggle"
        case .range: "range"
        case .enumeration: "enumeration"
        case .text: "text"
        case .information: "information"
        }
    }
}
