import SettingsBridge

/// A request as the configuration describes it.
struct HTTPRequestTemplate: Sendable, Equatable {
    struct Pair: Sendable, Equatable {
        var name: String
        var value: TextTemplate
    }

    enum Body: Sendable, Equatable {
        case none
        case json(JSONValue)
        case form([Pair])
    }

    var method: String
    /// Path and query as they stand in the configuration, behind the path of the device's address.
    var target: TextTemplate
    var query: [Pair] = []
    var fields: [Pair] = []
    var body = Body.none
    var expectation: HTTPRequest.Expectation?
    /// See ``HTTPRequest/title``.
    var title: String

    /// Each value goes where its place is and nowhere else: encoded in the path, the query and a form, as JSON in a body.
    ///
    /// - Throws: ``DeviceError`` for a value that no encoding keeps in its place.
    func filled(_ values: TemplateValues) throws(DeviceError) -> HTTPRequest {
        let template = target
        let target = template.filled(values, encode: \.urlEncoded)
        let segments = Self.segments(target)
        // Dots need no encoding, and as a segment alone they mean another path.
        if segments.contains(where: { $0 == "." || $0 == ".." }) {
            throw DeviceError("\(title) failed: . and .. can't stand in a path")
        }
        // Many a device takes two slashes for one.
        let places = Self.segments(template.filled(values) { _ in "x" })
        if zip(segments, places).contains(where: { $0.isEmpty && !$1.isEmpty }) {
            throw DeviceError("\(title) failed: an empty value can't stand alone between slashes of a path")
        }
        func pairs(_ templates: [Pair]) -> [HTTPRequest.Pair] {
            templates.map { HTTPRequest.Pair(name: $0.name, value: $0.value.filled(values)) }
        }
        return HTTPRequest(
            method: method, target: target, query: pairs(query),
            fields: fields.map { HTTPAnswer.Field(name: $0.name, value: $0.value.filled(values)) },
            body: {
                switch body {
                case .none: .none
                case .json(let template): .json(values.filling(template))
                case .form(let templates): .form(pairs(templates))
                }
            }(), expectation: expectation, title: title)
    }

    /// Of the path, without the query.
    private static func segments(_ target: String) -> [Substring] {
        target.prefix { $0 != "?" }.split(separator: "/", omittingEmptySubsequences: false)
    }
}
