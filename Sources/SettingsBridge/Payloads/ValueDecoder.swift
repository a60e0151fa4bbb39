import AccessorySettings

/// Decodes what a sender asks of one setting, against its declaration.
struct ValueDecoder {
    /// The longest text that is accepted, in bytes of UTF-8.
    static let textLimit = 65_535

    let descriptor: SettingDescriptor
    /// The value that a `toggle` would invert.
    let current: SettingValue?

    /// The value to write.
    ///
    /// - Throws: a ``Refusal`` whose sentence begins with the setting's identifier.
    func decode(_ input: SetPayload.Input) throws(Refusal) -> SettingValue {
        // A setting nobody sees or may change is refused whatever the value is.
        if case .information = descriptor.kind { throw refusal(.readOnly, "is read-only") }
        if descriptor.isHidden { throw refusal(.hidden, "is hidden at the moment") }
        if !descriptor.isEnabled { throw refusal(.disabled, "is disabled at the moment") }
        switch descriptor.kind {
        case .toggle: return try toggle(word(input))
        case .range(let range): return try number(word(input), in: range)
        case .enumeration(let options): return try option(word(input), of: options)
        case .text(_, let maximumLength, _): return .text(try text(input, maximumLength: maximumLength))
        case .information: throw refusal(.readOnly, "is read-only")
        }
    }

    /// Holds a value that was decoded before against the declaration.
    func check(_ value: SettingValue) throws(Refusal) {
        let input: JSONValue =
            switch value {
            case .toggle(let isOn): .bool(isOn)
            case .number(let number): .number(number)
            case .option(let text), .text(let text): .string(text)
            }
        guard try decode(.json(input)) == value else {
            throw refusal(.outOfRange, "no longer takes \(Setting(descriptor, value: value).valueText)")
        }
    }

    // MARK: The kinds

    private func toggle(_ word: String) throws(Refusal) -> SettingValue {
        switch word.lowercased() {
        case "on", "true", "1", "yes": return .toggle(true)
        case "off", "false", "0", "no": return .toggle(false)
        case "toggle":
            guard case .toggle(let isOn) = current else {
                throw refusal(.invalidPayload, "can't be toggled, since its present value is unknown; send ON or OFF")
            }
            return .toggle(!isOn)
        default:
            throw refusal(.invalidPayload, "takes ON, OFF or TOGGLE; got \(quoted(word))")
        }
    }

    private func number(_ word: String, in range: RangeDescriptor) throws(Refusal) -> SettingValue {
        guard let value = NumberText.value(word) else {
            let withPoint = word.replacing(",", with: ".")
            let hint = NumberText.value(withPoint) == nil ? "" : " (write the decimal point as a point: \(withPoint))"
            throw refusal(.invalidPayload, "takes \(range.sentence); got \(quoted(word))\(hint)")
        }
        guard let snapped = range.snapped(value) else {
            throw refusal(.outOfRange, "takes \(range.sentence); got \(NumberText.text(value))")
        }
        return .number(snapped)
    }

    private func option(_ word: String, of options: [EnumerationOption]) throws(Refusal) -> SettingValue {
        if let option = options.first(where: { $0.rawValue == word }) { return .option(option.rawValue) }
        let lowercased = word.lowercased()
        let matches = options.filter {
            $0.rawValue.lowercased() == lowercased || $0.label.lowercased() == lowercased
        }
        if matches.count == 1 { return .option(matches[0].rawValue) }
        let names = options.map(\.rawValue).joined(separator: ", ")
        let why = matches.isEmpty ? "" : ", which fits several options"
        throw refusal(.notAnOption, "takes one of \(names); got \(quoted(word))\(why)")
    }

    private func text(_ input: SetPayload.Input, maximumLength: Int?) throws(Refusal) -> String {
        let text = try text(input)
        if let maximumLength, text.count > maximumLength {
            throw refusal(.tooLong, "takes up to \(maximumLength) characters; got \(text.count)")
        }
        return text
    }

    private func text(_ input: SetPayload.Input) throws(Refusal) -> String {
        switch input {
        case .json(.string(let text)):
            try checkLength(text.utf8.count)
            return text
        case .json(let other):
            let found = isSecret ? "something else" : quoted(Self.text(of: other))
            throw refusal(.invalidPayload, "takes a text; got \(found)")
        case .bytes(var bytes):
            // One final newline is the shell's, not the sender's.
            if bytes.last == UInt8(ascii: "\n") {
                bytes.removeLast()
                if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
            }
            try checkLength(bytes.count)
            return try utf8(bytes)
        }
    }

    private func checkLength(_ count: Int) throws(Refusal) {
        guard count <= Self.textLimit else {
            throw refusal(.tooLong, "takes a text of up to 65,535 bytes; got \(count) bytes")
        }
    }

    // MARK: The input

    /// The input as one word: without white space around it, a JSON string as its content.
    private func word(_ input: SetPayload.Input) throws(Refusal) -> String {
        switch input {
        case .json(let value): return Self.trimmed(Self.text(of: value))
        case .bytes(let bytes):
            let word = Self.trimmed(try utf8(bytes))
            guard word.utf8.first == UInt8(ascii: "\""),
                case .string(let content) = try? JSONValue.parse(Array(word.utf8))
            else { return word }
            return Self.trimmed(content)
        }
    }

    private func utf8(_ bytes: [UInt8]) throws(Refusal) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            let excerpt = bytes.prefix(8).map { $0 < 16 ? "0" + String($0, radix: 16) : String($0, radix: 16) }
                .joined(separator: " ")
            let found = isSecret ? "something else" : "the bytes \(excerpt)\(bytes.count > 8 ? " …" : "")"
            throw refusal(.invalidPayload, "takes UTF-8; got \(found)")
        }
        return text
    }

    private static func trimmed(_ text: String) -> String {
        guard text.utf8.first?.isASCIIWhitespace == true || text.utf8.last?.isASCIIWhitespace == true else {
            return text
        }
        let start = text.utf8.drop(while: \.isASCIIWhitespace)
        guard let end = start.lastIndex(where: { !$0.isASCIIWhitespace }) else { return "" }
        return String(text[start.startIndex...end])
    }

    /// A JSON value as the word one would send on the plain topic.
    private static func text(of value: JSONValue) -> String {
        switch value {
        case .null: "null"
        case .bool(let bool): bool ? "true" : "false"
        case .integer(let integer): String(integer)
        case .number(let number): NumberText.text(number)
        case .string(let string): string
        case .array: "a JSON array"
        case .object: "a JSON object"
        }
    }

    private func quoted(_ word: String) -> String {
        let excerpt = word.prefix(40)
        return excerpt.utf8.count == word.utf8.count ? "'\(word)'" : "'\(excerpt)…'"
    }

    private var isSecret: Bool {
        if case .text(_, _, isSecret: true) = descriptor.kind { true } else { false }
    }

    private func refusal(_ code: Refusal.Code, _ sentence: String) -> Refusal {
        Refusal(code, setting: descriptor.id, "\(descriptor.id) \(sentence)")
    }
}
