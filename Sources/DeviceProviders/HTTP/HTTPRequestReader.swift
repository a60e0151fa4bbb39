import MQTT
import SettingsBridge

/// Reads the requests of a `provider` section.
struct HTTPRequestReader {
    private static let methods = ["GET", "POST", "PUT", "PATCH", "DELETE"]
    /// Fields that say how the request itself is put together.
    private static let ownFields: Set = [
        "content-length", "transfer-encoding", "connection", "expect", "upgrade", "te",
    ]

    /// Names the device in faults.
    let origin: String
    /// What stands before each path.
    let path: String
    let secrets: [String: Secret]
    /// The headers of all requests.
    private let commonFields: [HTTPRequestTemplate.Pair]

    init(origin: String, path: String, secrets: [String: Secret], headers: SectionReader) {
        (self.origin, self.path, self.secrets) = (origin, path, secrets)
        commonFields = Self.fields(headers, secrets)
    }

    /// `"write": { … }`, which everything but information and what was declared without a way to set it needs.
    func readWrite(_ section: SectionReader, of setting: DeclaredSetting) -> HTTPRequestTemplate? {
        guard let write = section.optionalSection("write") else {
            if setting.isSettable {
                section.fault("is missing: the request that changes it; or the kind is information", at: "write")
            }
            return nil
        }
        guard setting.isSettable else {
            section.fault("does not belong to information, which can't be changed", at: "write")
            _ = read(write, allowsValue: true)
            return nil
        }
        return read(write, allowsValue: true)
    }

    /// - Parameter allowsValue: whether it changes a setting, whose value has a place in it then.
    func read(_ section: SectionReader, allowsValue: Bool) -> HTTPRequestTemplate? {
        let template = { (text: String, key: String, section: SectionReader) in
            self.template(text, key, section, allowsValue: allowsValue)
        }
        let method = section.word("method", of: Self.methods)
        let target = readTarget(section, template)
        let query = pairs(section.section("query", namesAreFree: true), template)
        let form = section.optionalSection("form", namesAreFree: true).map { pairs($0, template) }
        let json = section.json("body")
        if form != nil, json != nil { section.fault("can't stand beside 'body'", at: "form") }
        var body = form.map { HTTPRequestTemplate.Body.form($0) } ?? .none
        if let json {
            check(json, section, allowsValue: allowsValue)
            body = .json(json)
        }
        if method == "GET", body != .none { section.fault("must not be GET with a body", at: "method") }
        var fields = Self.fields(section.section("headers", namesAreFree: true), secrets)
        for field in commonFields where !fields.contains(where: { $0.name.lowercased() == field.name.lowercased() }) {
            fields.append(field)
        }
        let expectation = readExpectation(section)
        guard let target, !section.hasFaults else { return nil }
        let request = HTTPRequestTemplate(
            method: method ?? (body == .none ? "GET" : "POST"), target: target.template, query: query, fields: fields,
            body: body, expectation: expectation, title: "")
        if allowsValue, !request.hasPlace(for: TemplateValues.valueName) {
            section.fault("must have a place for the value: \"{{value}}\"")
        }
        var titled = request
        titled.title = "\(request.method) \(origin)\(target.shown.isEmpty ? "/" : target.shown)"
        return titled
    }

    /// `"expect": { "pointer": "/result", "equals": "success" }`
    private func readExpectation(_ section: SectionReader) -> HTTPRequest.Expectation? {
        guard let expect = section.optionalSection("expect") else { return nil }
        let value = expect.deviceValue("equals")
        return expect.pointer("pointer", required: true).map { HTTPRequest.Expectation(pointer: $0, value: value) }
    }

    // MARK: Paths

    private func readTarget(
        _ section: SectionReader, _ template: (String, String, SectionReader) -> TextTemplate?
    ) -> (template: TextTemplate, shown: String)? {
        let text = section.string("path") ?? ""
        guard text.isEmpty || text.hasPrefix("/") || text.hasPrefix("?") else {
            section.fault("must begin with /", at: "path")
            return nil
        }
        guard let parsed = template(path + text, "path", section) else { return nil }
        for case .text(let literal) in parsed.parts where !literal.isURLText {
            section.fault(
                "must hold only what a URL may hold; anything else stands there percent-encoded, as %20", at: "path")
            return nil
        }
        // What stands behind ? may be a password.
        return (parsed, String((path + text).prefix { $0 != "?" }))
    }

    // MARK: Templates

    private func template(
        _ text: String, _ key: String, _ section: SectionReader, allowsValue: Bool
    ) -> TextTemplate? {
        guard let template = TextTemplate(text) else {
            section.fault("has a {{ without a name and }} behind it", at: key)
            return nil
        }
        for name in template.names where secrets[name] == nil {
            if name == TemplateValues.valueName {
                if allowsValue { continue }
                section.fault("has no {{value}} to insert: only a setting's 'write' has one", at: key)
            } else {
                let names = (allowsValue ? ["value"] : []) + secrets.keys.sorted()
                let known = names.isEmpty ? "; there is none here" : ": \(names.joined(separator: ", "))"
                section.fault("{{\(name.prefix(40))}} must be one of the names\(known)", at: key)
            }
            return nil
        }
        return template
    }

    private func pairs(
        _ section: SectionReader, _ template: (String, String, SectionReader) -> TextTemplate?
    ) -> [HTTPRequestTemplate.Pair] {
        section.presentKeys.compactMap { name in
            guard let text = section.deviceValue(name)?.text else { return nil }
            return template(text, name, section).map { HTTPRequestTemplate.Pair(name: name, value: $0) }
        }
    }

    /// In a body a value stands for a whole string, so that it keeps its type.
    private func check(_ json: JSONValue, _ section: SectionReader, allowsValue: Bool) {
        switch json {
        case .string(let text):
            guard let template = template(text, "body", section, allowsValue: allowsValue) else { return }
            if template.names.contains(TemplateValues.valueName), template.onlyPlace == nil {
                section.fault("{{value}} must be the whole string: \"{{value}}\"", at: "body")
            }
        case .array(let elements): for element in elements { check(element, section, allowsValue: allowsValue) }
        case .object(let members):
            for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                if name.contains("{{") { section.fault("a key can't hold {{", at: "body") }
                check(value, section, allowsValue: allowsValue)
            }
        case .null, .bool, .integer, .number: break
        }
    }

    private static func fields(_ section: SectionReader, _ secrets: [String: Secret]) -> [HTTPRequestTemplate.Pair] {
        section.presentKeys.compactMap { name in
            guard let text = section.string(name, allowsEmpty: true) else { return nil }
            if !name.isFieldName { section.fault("is no name of a header", at: name) }
            if ownFields.contains(name.lowercased()) { section.fault("is set by the request itself", at: name) }
            guard let template = TextTemplate(text), template.names.allSatisfy({ secrets[$0] != nil }) else {
                section.fault("may have places for 'secrets' only, as in \"{{token}}\"", at: name)
                return nil
            }
            if !template.filled(TemplateValues(secrets: secrets)).isFieldValue {
                section.fault("must not hold control characters, nor a secret that has some", at: name)
            }
            return HTTPRequestTemplate.Pair(name: name, value: template)
        }
    }
}

extension HTTPRequestTemplate {
    fileprivate func hasPlace(for name: String) -> Bool {
        func has(_ json: JSONValue) -> Bool {
            switch json {
            case .string(let text): TextTemplate(text)?.names.contains(name) == true
            case .array(let elements): elements.contains(where: has)
            case .object(let members): members.values.contains(where: has)
            case .null, .bool, .integer, .number: false
            }
        }
        let isInBody =
            switch body {
            case .none: false
            case .json(let json): has(json)
            case .form(let pairs): pairs.contains { $0.value.names.contains(name) }
            }
        return isInBody || target.names.contains(name) || query.contains { $0.value.names.contains(name) }
    }
}

extension String {
    /// Whether it may name a header field.
    var isFieldName: Bool { wholeMatch(of: #/[A-Za-z0-9!#$%&'*+.^_`|~-]+/#) != nil }

    /// Whether it may be the value of one.
    var isFieldValue: Bool { !unicodeScalars.contains { $0.properties.generalCategory == .control } }

    /// Whether it may stand in a path with a query as it is.
    fileprivate var isURLText: Bool {
        wholeMatch(of: #/([A-Za-z0-9\-._~!$&'()*+,;=:@\/?]|%[0-9A-Fa-f]{2})*/#) != nil
    }
}
