/// What a device sends with 401 to have the password proved (RFC 7616), and the proofs for it.
struct DigestChallenge: Sendable, Equatable {
    private let parameters: [String: String]
    private let hash: OpenSSL.Hash
    /// How often the device's nonce was used.
    var count = 0

    /// The strongest challenge among the values of `WWW-Authenticate` that can be met.
    init?(_ values: [String]) {
        let challenges = values.flatMap(AuthenticationChallenge.parse).filter { $0.scheme == "digest" }
        let possible = challenges.compactMap { challenge -> (OpenSSL.Hash, [String: String])? in
            guard challenge.parameters["nonce"] != nil, challenge.parameters["realm"] != nil else { return nil }
            // The other quality, auth-int, is hardly ever met and never alone.
            let qualities = challenge.parameters["qop"]?.lowercased().split { $0 == "," || $0.isWhitespace }
            guard qualities?.contains("auth") ?? true else { return nil }
            switch challenge.parameters["algorithm"]?.lowercased() {
            case nil, "md5", "md5-sess": return (.md5, challenge.parameters)
            case "sha-256", "sha-256-sess": return (.sha256, challenge.parameters)
            default: return nil
            }
        }
        guard let best = possible.first(where: { $0.0 == .sha256 }) ?? possible.first else { return nil }
        (hash, parameters) = best
    }

    /// The value of `Authorization`; `nil` where the system forbids the algorithm.
    ///
    /// - Parameter clientNonce: chosen anew for each request.
    func answer(
        method: String, target: String, _ user: String, _ password: String,
        clientNonce: String = OpenSSL.hexadecimal((0..<16).map { _ in UInt8.random(in: 0...255) })
    ) -> String? {
        guard let library = OpenSSL.shared else { return nil }
        func hashed(_ text: String) -> String? { library.hash(text, hash) }
        let realm = parameters["realm"] ?? ""
        let nonce = parameters["nonce"] ?? ""
        let algorithm = parameters["algorithm"]
        let offersAuth = parameters["qop"] != nil
        let digits = String(count, radix: 16)
        let counter = String(repeating: "0", count: max(0, 8 - digits.count)) + digits

        guard var secret = hashed("\(user):\(realm):\(password)") else { return nil }
        if algorithm?.lowercased().hasSuffix("-sess") == true {
            guard let session = hashed("\(secret):\(nonce):\(clientNonce)") else { return nil }
            secret = session
        }
        guard let request = hashed("\(method):\(target)") else { return nil }
        let proof =
            offersAuth
            ? hashed("\(secret):\(nonce):\(counter):\(clientNonce):auth:\(request)")
            : hashed("\(secret):\(nonce):\(request)")
        guard let proof else { return nil }

        var parts = [
            "username=\(Self.quoted(user))", "realm=\(Self.quoted(realm))", "nonce=\(Self.quoted(nonce))",
            "uri=\(Self.quoted(target))", "response=\"\(proof)\"",
        ]
        if let algorithm { parts.append("algorithm=\(algorithm)") }
        if let opaque = parameters["opaque"] { parts.append("opaque=\(Self.quoted(opaque))") }
        if offersAuth { parts += ["qop=auth", "nc=\(counter)", "cnonce=\"\(clientNonce)\""] }
        return "Digest " + parts.joined(separator: ", ")
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}

/// One challenge of the field `WWW-Authenticate`.
struct AuthenticationChallenge: Equatable {
    /// In lower case.
    var scheme: String
    /// By name in lower case, without quotes.
    var parameters: [String: String] = [:]

    /// Takes a value with any number of challenges apart.
    static func parse(_ value: String) -> [AuthenticationChallenge] {
        var challenges: [AuthenticationChallenge] = []
        var rest = value[...]
        while true {
            rest = rest.drop { $0.isWhitespace || $0 == "," }
            let token = rest.prefix { !$0.isWhitespace && $0 != "," && $0 != "=" }
            guard !token.isEmpty else {
                // An equals sign without a name: nothing that follows can be relied on.
                return challenges
            }
            rest = rest[token.endIndex...]
            let afterBlanks = rest.drop { $0.isWhitespace }
            guard afterBlanks.first == "=" else {
                challenges.append(AuthenticationChallenge(scheme: token.lowercased()))
                continue
            }
            rest = afterBlanks.dropFirst().drop { $0.isWhitespace }
            let text = rest.first == "\"" ? quotedText(&rest) : bareText(&rest)
            guard !challenges.isEmpty else { return [] }
            challenges[challenges.count - 1].parameters[token.lowercased()] = text
        }
    }

    private static func bareText(_ rest: inout Substring) -> String {
        let text = rest.prefix { !$0.isWhitespace && $0 != "," }
        rest = rest[text.endIndex...]
        return String(text)
    }

    private static func quotedText(_ rest: inout Substring) -> String {
        rest.removeFirst()
        var text = ""
        while let character = rest.popFirst(), character != "\"" {
            if character == "\\", let next = rest.popFirst() { text.append(next) } else { text.append(character) }
        }
        return text
    }
}
