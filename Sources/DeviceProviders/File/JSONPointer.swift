import SettingsBridge

/// Names a value within a JSON document (RFC 6901): `/switch:0/auto_off`, `/list/2`; the empty one names the whole.
struct JSONPointer: Sendable, Hashable, CustomStringConvertible {
    /// The keys and indices from the outside to the inside.
    let tokens: [String]
    let description: String

    /// `nil` for text that is no pointer: one begins with `/`, and `~` stands only in `~0` (`~`) and `~1` (`/`).
    init?(_ text: String) {
        guard text.isEmpty || text.hasPrefix("/") else { return nil }
        var tokens: [String] = []
        for part in text.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            guard part.wholeMatch(of: #/([^~]|~[01])*/#) != nil else { return nil }
            tokens.append(String(part).replacing("~1", with: "/").replacing("~0", with: "~"))
        }
        self.tokens = tokens
        description = text
    }

    /// The value in a document; `nil` where there is none.
    func value(in document: JSONValue) -> JSONValue? {
        var value = document
        for token in tokens {
            switch value {
            case .object(let members):
                guard let member = members[token] else { return nil }
                value = member
            case .array(let elements):
                guard let index = Self.index(token), elements.indices.contains(index) else { return nil }
                value = elements[index]
            default:
                return nil
            }
        }
        return value
    }

    /// An index has no sign and no leading zero.
    static func index(_ token: String) -> Int? {
        guard token == "0" || token.utf8.first != UInt8(ascii: "0"),
            token.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return Int(token)
    }
}

extension SectionReader {
    /// A JSON Pointer.
    func pointer(_ key: String, required: Bool = false) -> JSONPointer? {
        guard let text = string(key, required: required, allowsEmpty: true) else { return nil }
        let pointer = JSONPointer(text)
        if pointer == nil {
            fault("must be a JSON Pointer such as \"/config/power\" (~1 stands for /, ~0 for ~)", at: key)
        }
        return pointer
    }
}
