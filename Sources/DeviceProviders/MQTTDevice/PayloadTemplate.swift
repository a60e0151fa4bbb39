import SettingsBridge

/// The payload of a command: the value as text, or a JSON structure with places for it.
///
/// A place is a whole string of the structure, so that a value never becomes anything but one JSON value.
struct PayloadTemplate: Sendable, Equatable {
    static let value = "{{value}}"
    /// A number of its own for each command, by which its answer is recognised.
    static let transaction = "{{transaction}}"

    /// `nil`: the value as text is the whole payload.
    let structure: JSONValue?

    func payload(value: JSONValue, transaction: Int64) -> [UInt8] {
        guard let structure else { return Array((value.text ?? "").utf8) }
        return structure.filled { place in
            switch place {
            case Self.value: value
            case Self.transaction: .integer(transaction)
            default: nil
            }
        }.bytes
    }

    var hasTransaction: Bool { structure?.strings.contains(Self.transaction) ?? false }
}

extension PayloadTemplate {
    /// Reads `payload` of a command; without one the value is the payload.
    static func read(_ section: SectionReader) -> PayloadTemplate? {
        switch section.json("payload") {
        case nil, .string(value): return PayloadTemplate(structure: nil)
        case .array(let elements): return checked(.array(elements), section)
        case .object(let members): return checked(.object(members), section)
        default:
            section.fault(
                "must be \"{{value}}\" or a JSON structure that holds \"{{value}}\" as a string", at: "payload")
            return nil
        }
    }

    private static func checked(_ structure: JSONValue, _ section: SectionReader) -> PayloadTemplate? {
        if !structure.strings.contains(value) {
            section.fault("must hold \"{{value}}\" as a string", at: "payload")
        } else if structure.strings.contains(where: { $0.contains("{{") && $0 != value && $0 != transaction }) {
            section.fault(
                "takes \"{{value}}\" and \"{{transaction}}\" as whole strings, with nothing beside them", at: "payload")
        } else {
            return PayloadTemplate(structure: structure)
        }
        return nil
    }
}

extension JSONValue {
    /// A message's payload: a text as it is, everything else as JSON.
    var bytes: [UInt8] {
        if case .string(let text) = self { return Array(text.utf8) }
        var writer = JSONWriter()
        writer.value(self)
        return writer.bytes
    }

    /// Its strings and those of what it holds; no keys.
    fileprivate var strings: [String] {
        switch self {
        case .string(let text): [text]
        case .array(let elements): elements.flatMap(\.strings)
        case .object(let members): members.values.flatMap(\.strings)
        default: []
        }
    }

    fileprivate func filled(_ replacement: (String) -> JSONValue?) -> JSONValue {
        switch self {
        case .string(let text): replacement(text) ?? self
        case .array(let elements): .array(elements.map { $0.filled(replacement) })
        case .object(let members): .object(members.mapValues { $0.filled(replacement) })
        default: self
        }
    }
}
