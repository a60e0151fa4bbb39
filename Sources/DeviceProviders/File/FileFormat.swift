import SettingsBridge

/// How values stand in a file.
enum FileFormat: String, CaseIterable, Sendable {
    /// The whole file is one value.
    case text
    /// A JSON document.
    case json
    /// Lines `key = value` with sections.
    case ini
}

/// Where in a file a setting's value stands.
enum FilePlace: Sendable, Equatable {
    case whole
    /// The word in brackets, as sysfs marks the chosen one: `none [timer] heartbeat`. It is written alone.
    case bracketed
    case json(JSONPointer)
    case ini(INIText.Place)
}

/// The content of a file of one format, with values to read and to replace.
enum FileContent {
    case text(String)
    case json(JSONText, JSONValue)
    case ini(INIText)

    /// - Throws: ``DeviceError`` when the file can't be read or is not of the format.
    init(of store: FileStore, format: FileFormat) throws(DeviceError) {
        let text = try store.readText()
        switch format {
        case .text: self = .text(text)
        case .ini: self = .ini(INIText(text))
        case .json:
            // Foundation would take it for UTF-16 and read something else than we write.
            guard !text.utf8.contains(0) else {
                throw DeviceError("\(store.path) is not JSON in UTF-8: it holds U+0000")
            }
            self = .json(JSONText(Array(text.utf8)), try Self.document(Array(text.utf8), store))
        }
    }

    private static func document(_ bytes: [UInt8], _ store: FileStore) throws(DeviceError) -> JSONValue {
        do throws(JSONSyntaxError) {
            return try JSONValue.parse(bytes)
        } catch {
            throw DeviceError("\(store.path) \(error.reason)")
        }
    }

    /// `nil` where there is none.
    func value(at place: FilePlace) -> JSONValue? {
        switch (self, place) {
        case (.text(let text), .whole): .string(Self.withoutLineEnd(text))
        case (.text(let text), .bracketed):
            text.firstMatch(of: #/(?:^|\s)\[([^\]\s]+)\]/#).map { .string(String($0.1)) }
        case (.json(_, let document), .json(let pointer)): pointer.value(in: document)
        case (.ini(let lines), .ini(let place)): lines.value(at: place).map { .string($0) }
        default: nil
        }
    }

    /// Replaces a value.
    ///
    /// - Throws: ``DeviceError`` when the format can't hold it, or has no place for it.
    mutating func set(_ place: FilePlace, to value: JSONValue, in store: FileStore) throws(DeviceError) {
        switch (self, place) {
        case (.text(let old), .whole), (.text(let old), .bracketed):
            self = .text(try Self.text(value, replacing: old, at: place, store))
        case (.json(var text, _), .json(let pointer)):
            guard text.set(pointer, to: value) else {
                throw DeviceError("\(store.path) has no place for \(pointer): what should hold it is no object there")
            }
            let document = try Self.document(text.bytes, store)
            guard pointer.value(in: document) == value else {
                throw DeviceError("\(store.path) holds a key of \(pointer) twice, so that none can be written")
            }
            self = .json(text, document)
        case (.ini(var lines), .ini(let place)):
            if let problem = lines.set(place, to: value.text ?? "") {
                throw DeviceError("\(store.path), \(place): \(problem)")
            }
            self = .ini(lines)
        default: break
        }
    }

    var bytes: [UInt8] {
        switch self {
        case .text(let text): Array(text.utf8)
        case .json(let text, _): text.bytes
        case .ini(let lines): Array(lines.text.utf8)
        }
    }

    private static func text(
        _ value: JSONValue, replacing old: String, at place: FilePlace, _ store: FileStore
    ) throws(DeviceError) -> String {
        let text = value.text ?? ""
        let isLine = place == .bracketed || store.isWrittenInPlace
        if let scalar = text.unicodeScalars.first(where: {
            $0.properties.generalCategory == .control && (isLine || !"\t\r\n".unicodeScalars.contains($0))
        }) {
            throw DeviceError("\(store.path) can't hold the control character \(scalar.codePoint)")
        }
        let lineEnd = String(old.unicodeScalars.suffix(old.utf8.count - withoutLineEnd(old).utf8.count))
        return text + lineEnd
    }

    private static func withoutLineEnd(_ text: String) -> String {
        var scalars = text.unicodeScalars
        if scalars.last == "\n" {
            scalars.removeLast()
            if scalars.last == "\r" { scalars.removeLast() }
        }
        return String(scalars)
    }
}

extension Unicode.Scalar {
    /// `U+0007`
    var codePoint: String {
        let digits = String(value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
