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
        let target = target.filled(values, encode: \.urlEncoded)
        let path = target.split(separator: "?", omittingEmptySubsequences: false).first ?? ""
        // Dots need no encoding, and as a segment alone they mean another path.
        if path.split(separator: "/").contains(where: { $0 == "." || $0 == ".." }) {
            throw DeviceError("\(title) failed: . and .. can't stand in a path")
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
}
