/// Text with places for values, as in `/set?level={{value}}`.
///
/// A template is taken apart once. What fills a place is never looked at again, so that a value which itself holds
/// `{{…}}` stays what it is.
struct TextTemplate: Sendable, Equatable {
    enum Part: Sendable, Equatable {
        case text(String)
        case place(String)
    }

    let parts: [Part]

    /// `nil` where `{{` stands without a name and `}}`.
    init?(_ text: String) {
        var parts: [Part] = []
        var rest = text[...]
        while let place = rest.firstMatch(of: #/\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}/#) {
            let before = rest[..<place.range.lowerBound]
            if !before.isEmpty { parts.append(.text(String(before))) }
            parts.append(.place(String(place.1)))
            rest = rest[place.range.upperBound...]
        }
        if !rest.isEmpty { parts.append(.text(String(rest))) }
        for case .text(let text) in parts where text.contains("{{") { return nil }
        self.parts = parts
    }

    /// The names of the places.
    var names: [String] {
        parts.compactMap { if case .place(let name) = $0 { name } else { nil } }
    }

    /// The name, where the text is nothing but one place.
    var onlyPlace: String? {
        if parts.count == 1, case .place(let name) = parts[0] { name } else { nil }
    }

    /// The text with its places filled.
    func filled(_ values: TemplateValues, encode: (String) -> String = { $0 }) -> String {
        parts.map { part in
            switch part {
            case .text(let text): text
            case .place(let name): encode(values.text(name))
            }
        }.joined()
    }
}

extension String {
    /// With everything but letters, digits and `-._~` percent-encoded (RFC 3986), so that it can't end the part of a URL
    /// in which it stands.
    var urlEncoded: String {
        var encoded: [UInt8] = []
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                encoded.append(byte)
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                encoded.append(contentsOf: ("%" + (byte < 16 ? "0" : "") + digits).utf8)
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}
