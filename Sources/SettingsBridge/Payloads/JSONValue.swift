import Foundation

/// A JSON value as it came from outside.
public enum JSONValue: Sendable, Hashable, Decodable {
    case null
    case bool(Bool)
    /// Whole numbers stay exact, so that a `transaction` comes back as it was sent.
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    public init(from decoder: any Decoder) throws {
        if let object = try? decoder.container(keyedBy: AnyKey.self) {
            self = .object(
                Dictionary(
                    try object.allKeys.map { ($0.stringValue, try object.decode(JSONValue.self, forKey: $0)) },
                    uniquingKeysWith: { $1 }))
        } else if var array = try? decoder.unkeyedContainer() {
            var values: [JSONValue] = []
            while !array.isAtEnd { values.append(try array.decode(JSONValue.self)) }
            self = .array(values)
        } else {
            let single = try decoder.singleValueContainer()
            if single.decodeNil() {
                self = .null
            } else if let bool = try? single.decode(Bool.self) {
                self = .bool(bool)
            } else if let integer = try? single.decode(Int64.self) {
                self = .integer(integer)
            } else if let number = try? single.decode(Double.self) {
                self = .number(number)
            } else {
                self = .string(try single.decode(String.self))
            }
        }
    }

    /// Reads a whole document.
    ///
    /// - Throws: ``JSONSyntaxError`` with the decoder's own reason and, where it knows one, the position.
    package static func parse(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSONValue {
        // Foundation lets a comma after the last element pass, which no JSON has.
        if let position = trailingComma(in: bytes) {
            throw JSONSyntaxError(reason: "is not JSON: a comma stands before the closing bracket at byte \(position)")
        }
        do {
            return try JSONDecoder().decode(JSONValue.self, from: Data(bytes))
        } catch {
            throw JSONSyntaxError(error)
        }
    }

    /// Where a closing bracket follows a comma, counted from 1.
    private static func trailingComma(in bytes: [UInt8]) -> Int? {
        var isInString = false
        var isEscaped = false
        var isAfterComma = false
        for (position, byte) in bytes.enumerated() {
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: ","): isAfterComma = true
            case UInt8(ascii: "}"), UInt8(ascii: "]"): if isAfterComma { return position + 1 }
            case let byte where byte.isASCIIWhitespace: break
            default:
                isAfterComma = false
                isInString = byte == UInt8(ascii: "\"")
            }
        }
        return nil
    }

    private struct AnyKey: CodingKey {
        let stringValue: String
        let intValue: Int? = nil
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

/// Text that is no JSON.
package struct JSONSyntaxError: Error {
    /// Continues "the payload …".
    package let reason: String

    package init(reason: String) {
        self.reason = reason
    }

    init(_ error: any Error) {
        let fallback = "is not JSON"
        guard case DecodingError.dataCorrupted(let context) = error else {
            reason = fallback
            return
        }
        let detail = (context.underlyingError as? NSError)?.userInfo[NSDebugDescriptionErrorKey] as? String
        reason = detail.map { "is not JSON: \($0)" } ?? fallback
    }
}
