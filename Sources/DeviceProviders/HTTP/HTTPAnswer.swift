/// What a device answered.
struct HTTPAnswer: Sendable, Equatable {
    struct Field: Sendable, Equatable {
        var name: String
        var value: String
    }

    var status: Int
    /// In the order in which they came.
    var fields: [Field] = []
    var body: [UInt8] = []

    /// Whether the request was carried out.
    var isSuccess: Bool { (200...299).contains(status) }

    /// Whether the same request may be carried out later, where it was not.
    var mayPass: Bool {
        switch status {
        // What a device does not know at all, it won't learn.
        case 501, 505: false
        case 408, 425, 429, 500...599: true
        default: false
        }
    }

    /// The values of a field, whose name may be written in any case.
    func values(_ name: String) -> [String] {
        fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }

    var isHTML: Bool {
        if values("content-type").contains(where: { $0.lowercased().contains("html") }) { return true }
        let start = String(decoding: body.prefix(200).drop { $0 <= 0x20 }, as: UTF8.self).lowercased()
        return start.hasPrefix("<!doctype html") || start.hasPrefix("<html") || start.hasPrefix("<head")
    }

    /// The start of the body on one line, in quotation marks; a page for browsers is only named.
    ///
    /// - Parameter hide: takes out what must not be repeated.
    func excerpt(_ hide: (String) -> String) -> String {
        if isHTML { return "an HTML page" }
        if body.isEmpty { return "an empty body" }
        return hide(String(decoding: body.prefix(65_536), as: UTF8.self)).quotedExcerpt(120)
    }

    /// `404 Not Found`
    var statusText: String {
        Self.phrases[status].map { "\(status) \($0)" } ?? "\(status)"
    }

    private static let phrases = [
        301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified", 307: "Temporary Redirect",
        308: "Permanent Redirect", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
        405: "Method Not Allowed", 408: "Request Timeout", 409: "Conflict", 411: "Length Required",
        413: "Content Too Large", 415: "Unsupported Media Type", 422: "Unprocessable Content", 429: "Too Many Requests",
        500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
        504: "Gateway Timeout",
    ]
}

extension String {
    /// At most this many characters, on one line and in quotation marks.
    func quotedExcerpt(_ limit: Int) -> String {
        let words = split { character in
            character.isWhitespace || character.unicodeScalars.contains { $0.properties.generalCategory == .control }
        }
        let line = words.joined(separator: " ")
        return line.count > limit ? "\"\(line.prefix(limit))…\"" : "\"\(line)\""
    }
}
