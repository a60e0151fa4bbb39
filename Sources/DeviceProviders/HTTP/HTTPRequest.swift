import SettingsBridge

/// A request whose templates are filled.
struct HTTPRequest: Sendable, Equatable {
    struct Pair: Sendable, Equatable {
        var name: String
        var value: String
    }

    enum Body: Sendable, Equatable {
        case none
        case json(JSONValue)
        case form([Pair])
    }

    /// What the answer must say, for devices that refuse with 200.
    struct Expectation: Sendable, Equatable {
        var pointer: JSONPointer
        /// `nil` takes any value.
        var value: JSONValue?
    }

    var method: String
    /// The path, with the query that stands behind it, percent-encoded.
    var target: String
    /// More of the query, not encoded yet.
    var query: [Pair] = []
    var fields: [HTTPAnswer.Field] = []
    var body = Body.none
    var expectation: Expectation?
    /// Names it in faults, without query and values: `POST http://192.168.1.20/rpc/Sys.SetConfig`.
    var title: String

    /// One request for both, where they go to the same place and don't contradict each other.
    func joined(with other: HTTPRequest) -> HTTPRequest? {
        guard method == other.method, target == other.target, fields == other.fields, expectation == other.expectation,
            let query = Self.join(query, other.query), let body = body.joined(with: other.body)
        else { return nil }
        var joined = self
        joined.query = query
        joined.body = body
        return joined
    }

    fileprivate static func join(_ one: [Pair], _ other: [Pair]) -> [Pair]? {
        var joined = one
        for pair in other where !one.contains(pair) {
            if one.contains(where: { $0.name == pair.name }) { return nil }
            joined.append(pair)
        }
        return joined
    }

    /// As it goes over the wire, with more header fields.
    func message(_ more: [HTTPAnswer.Field]) -> HTTPMessage {
        var target = target
        // A request begins with a path, also where the address has none; a digest is made of it too.
        if !target.hasPrefix("/") { target = "/" + target }
        if !query.isEmpty { target += (target.contains("?") ? "&" : "?") + Self.encoded(query) }
        var fields = fields
        for field in more where !fields.contains(where: { $0.name.lowercased() == field.name.lowercased() }) {
            fields.append(field)
        }
        let (bytes, type): ([UInt8]?, String?) =
            switch body {
            case .none: (nil, nil)
            case .json(let value): (value.jsonBytes, "application/json")
            case .form(let pairs): (Array(Self.encoded(pairs).utf8), "application/x-www-form-urlencoded")
            }
        if let type, !fields.contains(where: { $0.name.lowercased() == "content-type" }) {
            fields.append(HTTPAnswer.Field(name: "Content-Type", value: type))
        }
        return HTTPMessage(method: method, target: target, fields: fields, body: bytes)
    }

    private static func encoded(_ pairs: [Pair]) -> String {
        pairs.map { "\($0.name.urlEncoded)=\($0.value.urlEncoded)" }.joined(separator: "&")
    }
}

extension HTTPRequest.Body {
    fileprivate func joined(with other: HTTPRequest.Body) -> HTTPRequest.Body? {
        switch (self, other) {
        case (.none, .none): HTTPRequest.Body.none
        case (.json(let one), .json(let other)): one.joined(with: other).map { .json($0) }
        case (.form(let one), .form(let other)): HTTPRequest.join(one, other).map { .form($0) }
        default: nil
        }
    }
}
