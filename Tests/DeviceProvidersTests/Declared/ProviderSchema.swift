import DeviceProviders
import Foundation
import Testing

@testable import SettingsBridge

/// The part of `config/settings2mqtt.schema.json` that describes one type of provider.
struct ProviderSchema {
    private let root: ConfigurationValue
    private let type: String

    init(_ type: String) throws {
        let file = URL(filePath: #filePath).appending(path: "../../../../config/settings2mqtt.schema.json").standardized
        root = try JSON5Parser.parse(Array(Data(contentsOf: file))).value
        self.type = type
    }

    /// Compares the keys with those that the parser asks for, when it reads the given sections.
    func expectAgreement(with sections: [String]) throws {
        var rules: [String: ConfigurationRule] = [:]
        let start = "accessories[].provider."
        for section in sections {
            let text = #"{ "accessories": [ { "id": "a", "provider": \#(section) } ] }"#
            let parsed = try BridgeConfiguration.parse(
                Array(text.utf8), file: "f", factories: DeviceProviderFactories.all)
            for rule in parsed.rules where rule.path.hasPrefix(start) {
                rules[String(rule.path.dropFirst(start.count))] = rule
            }
        }
        var keys: [String: ConfigurationValue] = [:]
        collect(try #require(root.at("$defs")?.at("provider_\(type)"), "no definition"), at: "", into: &keys)
        #expect(Set(keys.keys).symmetricDifference(rules.keys) == [])
        let documentation = try documentation
        for (path, schema) in keys {
            // As a key of its own, or behind those around it.
            let name = path.split(separator: ".").last { $0 != "*" }.map { $0.replacing("[]", with: "") } ?? ""
            #expect(
                documentation.contains("`\(name)`") || documentation.contains(".\(name)`"), "\(path) is not documented")
            guard let rule = rules[path], path != "type", !path.hasSuffix(".default") else { continue }
            let described = schema.at("description") ?? root.at("$defs")?.at(schema.name)?.at("description")
            #expect(path.hasSuffix("*") || described?.string?.isEmpty == false, "\(path) has no description")
            compare(schema, rule, path)
        }
    }

    private var documentation: String {
        get throws {
            let folder = URL(filePath: #filePath).appending(path: "../../../../docs").standardized
            return try ["providers.md", "providers/\(type).md"].map {
                try String(contentsOf: folder.appending(path: $0), encoding: .utf8)
            }.joined()
        }
    }

    private func compare(_ schema: ConfigurationValue, _ rule: ConfigurationRule, _ path: String) {
        // What may be a string or an object has no one kind.
        if schema.at("anyOf") != nil, rule.kind == .string || rule.kind == .section { return }
        let types = (schema.at("type")?.list ?? [schema.at("type")].compactMap(\.self)).compactMap(\.string)
        switch rule.kind {
        case .string: #expect(types.contains("string"), "\(path)")
        case .boolean: #expect(types.contains("boolean"), "\(path)")
        case .scalar: #expect(Set(types).isSuperset(of: ["string", "number", "boolean"]), "\(path)")
        case .section: #expect(types.contains("object") || schema.at("$ref") != nil, "\(path)")
        case .sections, .strings: #expect(types.contains("array"), "\(path)")
        case .secret: #expect(schema.at("$ref")?.string == "#/$defs/secret", "\(path)")
        case .json: #expect(types == [], "\(path)")
        case .word:
            let words = schema.at("enum")?.list?.compactMap { $0.string } ?? []
            #expect(Set(words).isSuperset(of: rule.words), "\(path)")
        case .integer, .number:
            #expect(types.contains(rule.kind.rawValue), "\(path)")
            #expect(schema.at("minimum")?.double == rule.range?.lowerBound, "\(path)")
            #expect(schema.at("maximum")?.double == rule.range?.upperBound, "\(path)")
        case .duration:
            let number = schema.at("anyOf")?.list?.first { $0.at("type")?.string == "number" }
            #expect(number?.at("minimum")?.double == rule.range?.lowerBound, "\(path)")
            #expect(number?.at("maximum")?.double == rule.range?.upperBound, "\(path)")
        }
    }

    private func collect(
        _ schema: ConfigurationValue, at path: String, into keys: inout [String: ConfigurationValue]
    ) {
        func below(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
        if let name = schema.at("$ref")?.string?.replacing("#/$defs/", with: ""), name != "secret",
            let target = root.at("$defs")?.at(name)
        {
            collect(target, at: path, into: &keys)
        }
        for part in (schema.at("allOf")?.list ?? []) + (schema.at("anyOf")?.list ?? []) {
            collect(part, at: path, into: &keys)
        }
        for property in schema.at("properties")?.object ?? [] {
            keys[below(property.key)] = property.value
            collect(property.value, at: below(property.key), into: &keys)
        }
        if let others = schema.at("additionalProperties"), others.object != nil {
            // Names that people choose.
            keys[below("*")] = others
            collect(others, at: below("*"), into: &keys)
        }
        if let items = schema.at("items") { collect(items, at: path + "[]", into: &keys) }
    }
}

extension ConfigurationValue {
    fileprivate var object: [Member]? { if case .object(let members) = content { members } else { nil } }
    fileprivate var list: [ConfigurationValue]? { if case .array(let elements) = content { elements } else { nil } }
    fileprivate var string: String? { if case .string(let text) = content { text } else { nil } }
    fileprivate var double: Double? { if case .number(let number) = content { number } else { nil } }
    fileprivate var name: String { at("$ref")?.string?.replacing("#/$defs/", with: "") ?? "" }
    fileprivate func at(_ key: String) -> ConfigurationValue? { object?.first { $0.key == key }?.value }
}
