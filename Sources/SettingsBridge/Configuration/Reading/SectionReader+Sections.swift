extension SectionReader {
    /// A section below this one. It is always there, so that its keys can be overridden and its required keys are
    /// missed; a fault is reported when something else than an object stands in its place.
    ///
    /// - Parameter namesAreFree: whether people choose the names of its keys; then none is unknown.
    public func section(_ key: String, required: Bool = false, namesAreFree: Bool = false) -> SectionReader {
        declare(key, .section, required: required)
        let value = compound(key, required: required)
        if let value, !value.isObject { fault("must be an object: { … }, found \(value.kindName)", at: key) }
        return adopt(
            SectionReader(
                value, path: path(of: key), rulePath: rulePath(of: key), parentPosition: position,
                namesAreFree: namesAreFree, isMissing: required && value == nil, report: report))
    }

    /// A section below this one, `nil` when it is absent.
    public func optionalSection(_ key: String, namesAreFree: Bool = false) -> SectionReader? {
        let reader = section(key, namesAreFree: namesAreFree)
        return compound(key, required: false) == nil ? nil : reader
    }

    /// A list of objects; empty when it is absent.
    public func sections(_ key: String, required: Bool = false) -> [SectionReader] {
        declare(key, .sections, required: required)
        guard let value = compound(key, required: required) else { return [] }
        guard case .array(let elements) = value.content else {
            fault("must be a list of objects: [ { … } ], found \(value.kindName)", at: key)
            return []
        }
        return elements.enumerated().map { index, element in
            let elementPath = "\(path(of: key))[\(index)]"
            if !element.isObject {
                reportElement(
                    index, of: key, "must be an object: { … }, found \(element.kindName)", at: element.origin)
            }
            return adopt(
                SectionReader(
                    element, path: elementPath, rulePath: rulePath(of: key) + "[]", parentPosition: position,
                    report: report))
        }
    }

    /// A list of strings, `nil` when it is absent or a fault was reported.
    public func strings(_ key: String, required: Bool = false) -> [String]? {
        declare(key, .strings, required: required)
        guard let value = compound(key, required: required) else { return nil }
        guard case .array(let elements) = value.content else {
            fault("must be a list of strings: [ \"…\" ], found \(value.kindName)", at: key)
            return nil
        }
        var strings: [String] = []
        for (index, element) in elements.enumerated() {
            if case .string(let text) = element.content, !text.unicodeScalars.contains("\0") {
                strings.append(text)
            } else {
                let problem =
                    if case .string = element.content { "must not contain the control character U+0000" } else {
                        "must be a string, found \(element.kindName)"
                    }
                reportElement(index, of: key, problem, at: element.origin)
            }
        }
        return strings.count == elements.count ? strings : nil
    }
}

extension ConfigurationValue {
    var isObject: Bool {
        if case .object = content { true } else { false }
    }
}
