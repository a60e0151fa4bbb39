extension SectionReader {
    /// Any JSON value, such as the template of a message. `nil` when it is absent or a fault was reported.
    public func json(_ key: String, required: Bool = false) -> JSONValue? {
        declare(key, .json, required: required)
        guard let value = compound(key, required: required) else { return nil }
        let json = value.json
        if json == nil { fault("must hold finite numbers only", at: key) }
        return json
    }

    /// Whether an object stands at the key; for keys that take an object or something shorter.
    public func holdsObject(_ key: String) -> Bool {
        compound(key, required: false)?.isObject == true
    }
}

extension ConfigurationValue {
    /// `nil` where a number is infinite or none, which JSON can't write.
    fileprivate var json: JSONValue? {
        switch content {
        case .null: return .null
        case .boolean(let flag): return .bool(flag)
        case .string(let text): return .string(text)
        case .number(let number):
            guard number.isFinite else { return nil }
            return Int64(exactly: number).map(JSONValue.integer) ?? .number(number)
        case .array(let elements):
            let values = elements.compactMap(\.json)
            return values.count == elements.count ? .array(values) : nil
        case .object(let members):
            let values = members.compactMap { member in member.value.json.map { (member.key, $0) } }
            guard values.count == members.count else { return nil }
            return .object(Dictionary(values) { first, _ in first })
        }
    }
}
