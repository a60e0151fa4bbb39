import Foundation
import SettingsBridge

/// What a command that reads prints.
enum OutputFormat: String, CaseIterable {
    case text, json
    case keyValue = "key_value"
}

/// Where a setting's value stands in the output of a command.
enum OutputPart: Sendable, Equatable {
    case pointer(JSONPointer)
    /// The value of the first line with this key.
    case key(String)
    /// The rest of the first line that begins with `line`, or the whole output; of it what stands after the one text and
    /// before the other.
    case text(line: String?, after: String?, before: String?)
}

/// The output of a command, understood.
enum ParsedOutput: Sendable {
    case text(String)
    case json(JSONValue)
    case keyValue([String: String])

    /// - Parameters:
    ///   - separator: between key and value.
    ///   - secrets: what the sentence may not hold.
    init(
        _ bytes: [UInt8], as format: OutputFormat, separator: String, hiding secrets: Redaction
    ) throws(DeviceError) {
        if format == .json {
            do throws(JSONSyntaxError) {
                self = .json(try JSONValue.parse(bytes))
            } catch {
                throw DeviceError("its output \(secrets.hide(error.reason))")
            }
            return
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw DeviceError("its output is not UTF-8") }
        guard format == .keyValue else {
            self = .text(text)
            return
        }
        let pairs = text.split(whereSeparator: \.isNewline).compactMap { line -> (String, String)? in
            guard let found = line.firstRange(of: separator) else { return nil }
            return (line[..<found.lowerBound].trimmed, line[found.upperBound...].trimmed)
        }
        self = .keyValue(Dictionary(pairs) { first, _ in first })
    }

    /// - Throws: a ``DeviceError`` when nothing is there.
    func value(_ part: OutputPart) throws(DeviceError) -> JSONValue {
        switch (part, self) {
        case (.pointer(let pointer), .json(let document)):
            guard let value = pointer.value(in: document) else {
                throw DeviceError("its output has nothing at \(pointer)")
            }
            switch value {
            case .array, .object: throw DeviceError("at \(pointer) its output has no single value")
            default: return value
            }
        case (.key(let key), .keyValue(let values)):
            guard let value = values[key] else { throw DeviceError("its output has no line with the key \(key)") }
            return .string(value)
        case (.text(let line, let after, let before), .text(let output)):
            var text = output[...]
            if let line {
                guard let found = output.split(whereSeparator: \.isNewline).first(where: { $0.hasPrefix(line) }) else {
                    throw DeviceError("its output has no line that begins with '\(line)'")
                }
                text = found.dropFirst(line.count)
            }
            if let after {
                guard let found = text.firstRange(of: after) else { throw DeviceError("its output has no '\(after)'") }
                text = text[found.upperBound...]
            }
            if let before {
                guard let found = text.firstRange(of: before) else {
                    throw DeviceError("its output has no '\(before)'" + (after.map { " after '\($0)'" } ?? ""))
                }
                text = text[..<found.lowerBound]
            }
            return .string(text.trimmed)
        default:
            // The configuration's reader lets only parts pass that fit the format.
            throw DeviceError("its output has another format")
        }
    }
}
