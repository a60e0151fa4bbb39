import Foundation

extension SectionReader {
    /// Which control characters a string may hold.
    public enum ControlCharacters: Sendable {
        case none
        /// Line ends and tabs.
        case lines
        case all
    }

    /// A string.
    ///
    /// - Parameters:
    ///   - required: whether its absence is a fault.
    ///   - allowsEmpty: whether `""` is a value.
    ///   - controls: which control characters it may hold.
    /// - Returns: `nil` when it is absent or a fault was reported.
    public func string(
        _ key: String, required: Bool = false, allowsEmpty: Bool = false, controls: ControlCharacters = .none
    ) -> String? {
        declare(key, .string, required: required)
        guard let value = scalar(key, required: required) else { return nil }
        guard case .string(let text) = value.content else {
            fault("must be a string, found \(value.kindName)", at: key)
            return nil
        }
        if text.isEmpty, !allowsEmpty {
            fault(required ? "must not be empty" : "must not be empty; leave the key out instead", at: key)
            return nil
        }
        if let scalar = text.unicodeScalars.first(where: { $0.isControl && !controls.contain($0) }) {
            fault("must not contain the control character \(scalar.codePointName)", at: key)
            return nil
        }
        return text
    }

    /// `true` or `false`; in an environment variable also `yes`, `no`, `on`, `off`, `1` and `0`, in any case.
    public func boolean(_ key: String, required: Bool = false) -> Bool? {
        declare(key, .boolean, required: required)
        guard let value = scalar(key, required: required) else { return nil }
        switch (value.content, value.origin) {
        case (.boolean(let flag), _):
            return flag
        case (.string(let text), .variable):
            switch text.lowercased() {
            case "true", "yes", "on", "1": return true
            case "false", "no", "off", "0": return false
            default: fault("must be true or false", at: key)
            }
        case (.string(let text), _) where ["true", "false"].contains(text.lowercased()):
            fault("must be true or false without quotes, found a string", at: key)
        default:
            fault("must be true or false, found \(value.kindName)", at: key)
        }
        return nil
    }

    /// A whole number.
    public func integer(_ key: String, in range: ClosedRange<Int>, required: Bool = false) -> Int? {
        let bounds = Double(range.lowerBound)...Double(range.upperBound)
        declare(key, .integer, required: required, range: bounds)
        guard let value = scalar(key, required: required) else { return nil }
        let demand = "must be a whole number from \(range.lowerBound) to \(range.upperBound)"
        guard let number = finiteNumber(value) else {
            fault("\(demand), found \(found(value))", at: key)
            return nil
        }
        guard bounds.contains(number), let whole = Int(exactly: number) else {
            fault("\(demand), found \(number.plainText)", at: key)
            return nil
        }
        return whole
    }

    /// A finite number.
    public func number(_ key: String, in range: ClosedRange<Double>? = nil, required: Bool = false) -> Double? {
        declare(key, .number, required: required, range: range)
        guard let value = scalar(key, required: required) else { return nil }
        let demand =
            range.map { "must be a number from \($0.lowerBound.plainText) to \($0.upperBound.plainText)" }
            ?? "must be a finite number"
        guard let number = finiteNumber(value) else {
            fault("\(demand), found \(found(value))", at: key)
            return nil
        }
        if let range, !range.contains(number) {
            fault("\(demand), found \(number.plainText)", at: key)
            return nil
        }
        return number
    }

    /// A string, a finite number, `true` or `false`: a value of a device.
    public func deviceValue(_ key: String, required: Bool = false) -> JSONValue? {
        declare(key, .scalar, required: required)
        guard let value = scalar(key, required: required, hint: "") else { return nil }
        switch value.content {
        case .string(let text): return .string(text)
        case .boolean(let flag): return .bool(flag)
        case .number(let number) where number.isFinite:
            return Int64(exactly: number).map(JSONValue.integer) ?? .number(number)
        default:
            fault("must be a string, a number, true or false, found \(value.kindName)", at: key)
            return nil
        }
    }

    /// One of several words, spelled exactly.
    ///
    /// - Parameter acceptsNumbers: whether `5` means `"5"`.
    public func word(
        _ key: String, of words: [String], acceptsNumbers: Bool = false, required: Bool = false
    ) -> String? {
        declare(key, .word, required: required, words: words)
        let list = words.joined(separator: ", ")
        guard let value = scalar(key, required: required, hint: "; it must be one of \(list)") else { return nil }
        let text: String
        switch value.content {
        case .string(let string): text = string
        case .number(let number) where acceptsNumbers: text = number.plainText
        default:
            fault("must be one of \(list), found \(value.kindName)", at: key)
            return nil
        }
        if words.contains(text) { return text }
        let hint = nearestName(to: text, among: words).map { "; did you mean '\($0)'?" } ?? ""
        fault("must be one of \(list), found '\(text.excerpt)'\(hint)", at: key)
        return nil
    }

    /// One of the cases of an enumeration, by raw value.
    public func word<Word>(_ key: String, as type: Word.Type, required: Bool = false) -> Word?
    where Word: RawRepresentable<String> & CaseIterable {
        word(key, of: type.allCases.map(\.rawValue), required: required).flatMap(Word.init(rawValue:))
    }

    /// A number as it is, or as the text of an environment variable.
    func finiteNumber(_ value: ConfigurationValue) -> Double? {
        switch (value.content, value.origin) {
        case (.number(let number), _): number.isFinite ? number : nil
        case (.string(let text), .variable): decimalNumber(text)
        default: nil
        }
    }

    /// What stands where a number should.
    private func found(_ value: ConfigurationValue) -> String {
        switch (value.content, value.origin) {
        case (.number(let number), _): number.isNaN ? "NaN" : "an infinite number"
        case (_, .variable): "something else"
        default: value.kindName
        }
    }
}

extension SectionReader.ControlCharacters {
    fileprivate func contain(_ scalar: Unicode.Scalar) -> Bool {
        switch self {
        case .none: false
        case .lines: "\t\r\n".unicodeScalars.contains(scalar)
        case .all: true
        }
    }
}

/// `-12`, `+1.5`, `1e3`; not `0x1A`, `inf` or `nan`, which `Double` would take too.
func decimalNumber(_ text: some StringProtocol) -> Double? {
    guard text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }), let number = Double(text), number.isFinite
    else { return nil }
    return number
}

extension Double {
    /// Without `.0` where it is whole.
    var plainText: String {
        Int(exactly: self).map(String.init) ?? "\(self)"
    }
}

extension String {
    /// At most 40 characters of it, on one line.
    var excerpt: String {
        let start = String(prefix(40).map { $0.unicodeScalars.contains(where: \.isControl) ? "?" : $0 })
        return count > 40 ? start + "…" : start
    }
}

extension Unicode.Scalar {
    var isControl: Bool { properties.generalCategory == .control }

    var isNoncharacter: Bool {
        value & 0xFFFE == 0xFFFE || (0xFDD0...0xFDEF).contains(value)
    }

    /// `U+0007`
    var codePointName: String {
        let digits = String(value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
