import SettingsBridge

/// The members of a JSON object in the order in which they stand, each as its own text.
///
/// The order of settings is the accessory's own, and a decoder does not keep it.
struct OrderedObject {
    typealias Member = (key: String, json: [UInt8])

    private(set) var members: [Member] = []

    /// - Parameter json: text that is known to be JSON. If it is no object, there are no members.
    init(_ json: some Sequence<UInt8>) {
        var scanner = Scanner(Array(json))
        guard scanner.next() == UInt8(ascii: "{") else { return }
        while let key = scanner.element(), case .string(let name)? = try? JSONValue.parse(key) {
            guard scanner.next() == UInt8(ascii: ":"), let value = scanner.element() else { return }
            members.append((name, value))
            guard scanner.next() == UInt8(ascii: ",") else { return }
        }
    }

    /// The text of a member's value.
    subscript(key: String) -> [UInt8]? {
        members.first { $0.key == key }?.json
    }
}

/// Finds where values of JSON end.
private struct Scanner {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The next sign.
    mutating func next() -> UInt8? {
        skipSpace()
        guard position < bytes.count else { return nil }
        defer { position += 1 }
        return bytes[position]
    }

    /// The next value up to the sign that ends it, which is not part of it.
    mutating func element() -> [UInt8]? {
        skipSpace()
        let start = position
        var depth = 0
        var isInString = false
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\\") where isInString: position += 1
            case UInt8(ascii: "\""): isInString.toggle()
            case _ where isInString: break
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}") where depth == 0, UInt8(ascii: ",") where depth == 0,
                UInt8(ascii: ":") where depth == 0:
                return position > start ? Array(bytes[start..<position]) : nil
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            position += 1
        }
        return nil
    }

    private mutating func skipSpace() {
        while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
    }
}
