import AccessorySettings
import Foundation

/// Names as Home Assistant wants them.
enum DiscoveryNames {
    /// A level of a discovery topic, or a key of a component: Home Assistant drops what is not `[A-Za-z0-9_-]`.
    static func reduced(_ text: String) -> String {
        String(
            text.unicodeScalars.map {
                $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil || $0 == "_" || $0 == "-")
                    ? Character($0) : "_"
            })
    }

    /// The node of an accessory's discovery topic. Its end keeps accessories apart whose names are reduced to the same.
    static func node(base: String, accessory: String) -> String {
        "\(reduced("\(base)_\(accessory)"))_\(hash("\(base)/\(accessory)"))"
    }

    /// The key of a setting's component: readable, and distinct for distinct identifiers.
    static func component(_ setting: String) -> String {
        let reduced = reduced(setting)
        return reduced.hasSameBytes(as: setting) ? reduced : "\(reduced)_\(hash(setting))"
    }

    /// The entity id that is proposed when Home Assistant meets the entity for the first time.
    static func entityID(_ domain: String, _ accessory: String, _ setting: String) -> String {
        let parts = [accessory, setting].map { part in
            let slug = slug(part)
            return slug.isEmpty ? hash(part) : slug
        }
        return "\(domain).\(parts.joined(separator: "_"))"
    }

    /// A setting's name without the name of its device, which Home Assistant puts before it; `nil` if nothing is left.
    static func name(_ label: String, of device: String, or setting: String) -> String? {
        let label = label.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !label.isEmpty else { return setting }
        guard label.caseInsensitiveCompare(device) != .orderedSame else { return nil }
        guard let range = label.range(of: device, options: [.caseInsensitive, .anchored]), !device.isEmpty else {
            return label
        }
        let rest = label[range.upperBound...]
        // "Lamp" is no part of "Lampshade".
        guard let next = rest.unicodeScalars.first, !CharacterSet.alphanumerics.contains(next) else { return label }
        let name = rest.drop { !$0.isLetter && !$0.isNumber }
        return name.isEmpty ? label : name.prefix(1).uppercased() + name.dropFirst()
    }

    /// The options of an enumeration as people see them: the labels, or the raw values where labels can't tell the options
    /// apart or mean something else. All differ; none is empty or called "none", which reads as unknown in any case.
    static func options(_ options: [EnumerationOption]) -> [String] {
        // Home Assistant drops white space at both ends of what a template yields.
        let labels = options.map { $0.label.trimmingCharacters(in: .whitespacesAndNewlines) }
        let canShowLabels = Set(labels).count == labels.count && !labels.contains { $0.isEmpty || isNone($0) }
        if canShowLabels { return labels }
        var taken: Set<String> = []
        return options.map { option in
            var shown = option.rawValue.trimmingCharacters(in: .whitespacesAndNewlines)
            while shown.isEmpty || isNone(shown) || !taken.insert(shown).inserted { shown = "(\(shown))" }
            return shown
        }
    }

    private static func isNone(_ text: String) -> Bool { text.lowercased() == "none" }

    /// The first 32 bits of a hash of the text, the same in every run.
    static func hash(_ text: String) -> String {
        UUID.version5(of: text, in: .accessoryNamespace).uuidString.prefix(8).lowercased()
    }

    private static func slug(_ text: String) -> String {
        let latin = text.applyingTransform(.toLatin, reverse: false) ?? text
        let plain = latin.folding(options: [.diacriticInsensitive, .caseInsensitive], locale: nil)
        let words = plain.unicodeScalars.split { !$0.isASCII || !CharacterSet.alphanumerics.contains($0) }
        return words.map { String(Substring($0)).lowercased() }.joined(separator: "_")
    }
}
