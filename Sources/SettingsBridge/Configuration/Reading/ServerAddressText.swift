import Foundation

extension ServerAddress {
    private static let tlsOfScheme = ["mqtt": false, "tcp": false, "mqtts": true, "ssl": true]

    /// What is wrong with the text of an address. The text is not repeated: it may hold a password.
    struct Problem: Error, Equatable {
        var message: String
    }

    /// Reads `mqtt://host:1883`; the port may be left out.
    init(parsing text: String) throws(Problem) {
        guard let schemeEnd = text.firstRange(of: "://") else {
            throw Problem(message: "must begin with mqtt:// or mqtts://, as in mqtt://localhost:1883")
        }
        let scheme = text[..<schemeEnd.lowerBound].lowercased()
        guard let isTLS = Self.tlsOfScheme[scheme] else {
            let isWebSocket = scheme == "ws" || scheme == "wss"
            throw Problem(
                message: isWebSocket
                    ? "WebSockets are not supported; use the broker's mqtt:// or mqtts:// port"
                    : "must begin with mqtt:// or mqtts://, as in mqtt://localhost:1883")
        }
        var rest = text[schemeEnd.upperBound...]
        if rest.contains("@") {
            throw Problem(message: "must not contain a user or a password; they belong to 'user' and 'password'")
        }
        if rest.last == "/" { rest.removeLast() }
        if rest.contains(where: { "/?#".contains($0) }) {
            throw Problem(message: "must end after the port; MQTT has no paths")
        }
        let (host, portText) = try Self.split(rest)
        guard let portText else {
            self.init(isTLS: isTLS, host: host, port: isTLS ? 8883 : 1883)
            return
        }
        guard portText.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(portText), port > 0 else {
            throw Problem(message: "the port must be a number from 1 to 65535")
        }
        self.init(isTLS: isTLS, host: host, port: Int(port))
    }

    private static func split(_ text: Substring) throws(Problem) -> (host: String, port: Substring?) {
        if text.first == "[" {
            guard let end = text.firstIndex(of: "]") else {
                throw Problem(message: "the ] behind the IPv6 address is missing")
            }
            let host = String(text[text.index(after: text.startIndex)..<end])
            guard isIPv6(host) else { throw Problem(message: "what stands in brackets must be an IPv6 address") }
            let rest = text[text.index(after: end)...]
            guard rest.isEmpty || rest.first == ":" else {
                throw Problem(message: "only a port may follow the IPv6 address, as in mqtt://[::1]:1883")
            }
            return (host, rest.isEmpty ? nil : rest.dropFirst())
        }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2 else {
            throw Problem(message: "an IPv6 address must stand in brackets, as in mqtt://[::1]:1883")
        }
        let host = String(parts[0])
        guard !host.isEmpty else { throw Problem(message: "the host is missing, as in mqtt://localhost:1883") }
        guard host.utf8.count <= 253, host.unicodeScalars.allSatisfy(isHostCharacter) else {
            throw Problem(message: "the host must be a name or an address, without blanks and special characters")
        }
        return (host, parts.count == 2 ? parts[1] : nil)
    }

    private static func isHostCharacter(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil || "-._".unicodeScalars.contains(scalar)
    }

    /// With or without a zone, as in `fe80::1%eth0`.
    private static func isIPv6(_ text: String) -> Bool {
        let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        var address = in6_addr()
        guard inet_pton(AF_INET6, String(parts[0]), &address) == 1 else { return false }
        return parts.count == 1 || parts[1].wholeMatch(of: #/[A-Za-z0-9._-]+/#) != nil
    }
}
