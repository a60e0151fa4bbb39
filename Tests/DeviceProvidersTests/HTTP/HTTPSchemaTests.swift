import Foundation
import Testing

@testable import DeviceProviders
@testable import SettingsBridge

@Suite("Schema and documentation of devices over HTTP") struct HTTPSchemaTests {
    private static let repository = URL(filePath: #filePath).appending(path: "../../../..").standardized

    /// Every key that the parser asks for, below `provider`.
    private func rules() throws -> [String: ConfigurationRule] {
        let request = """
            "path": "/x", "query": { "a": "b" }, "headers": { "A": "b" }, "expect": { "pointer": "/a" }
            """
        let own = #""read": "r#/x", "write": { \#(request), "form": { "a": "{{value}}" } }"#
        let text = """
            { "accessories": [{ "id": "a", "provider": { "type": "http", "url": "https://a", "confirm": {},
              "auth": { "type": "basic", "user": "u", "password": "p" }, "headers": { "A": "b" }, "secrets": { "s": "x" },
              "reads": { "r": { \(request), "form": { "a": "b" } } },
              "settings": {
                "a": { "kind": "toggle", \(own), "enabled_when": { "setting": "b", "equals": 1 },
                       "hidden_when": { "setting": "b", "equals": 1 }, "home_assistant": {} },
                "b": { "kind": "range", \(own) },
                "c": { "kind": "enumeration", "options": [{ "value": "x" }], \(own) },
                "d": { "kind": "text", \(own) },
                "e": { "kind": "information", "unit": "s", "read": { "from": "r", "pointer": "" } } } } }] }
            """
        let start = "accessories[].provider."
        let rules = try BridgeConfiguration.parse(Array(text.utf8), file: "f", factories: DeviceProviderFactories.all)
            .rules
        return Dictionary(
            rules.filter { $0.path.hasPrefix(start) }.map { (String($0.path.dropFirst(start.count)), $0) }
        ) { first, _ in first }
    }

    private let root: ConfigurationValue

    init() throws {
        let file = Self.repository.appending(path: "config/settings2mqtt.schema.json")
        root = try JSON5Parser.parse(Array(Data(contentsOf: file))).value
    }

    private func collect(_ schema: ConfigurationValue, at path: String, into keys: inout [String: ConfigurationValue]) {
        func add(_ value: ConfigurationValue, _ name: String) {
            let path = path.isEmpty ? name : "\(path).\(name)"
            keys[path] = value
            collect(value, at: path, into: &keys)
        }
        if let name = schema.at("$ref")?.string?.replacing("#/$defs/", with: ""), name != "secret" {
            if let target = root.at("$defs")?.at(name) { collect(target, at: path, into: &keys) }
        }
        for part in (schema.at("allOf")?.list ?? []) + (schema.at("anyOf")?.list ?? []) {
            collect(part, at: path, into: &keys)
        }
        for property in schema.at("properties")?.object ?? [] { add(property.value, property.key) }
        if let others = schema.at("additionalProperties"), others.object != nil { add(others, "*") }
        if let items = schema.at("items") { collect(items, at: path + "[]", into: &keys) }
    }

    @Test func schemaAndParserAgree() throws {
        var keys: [String: ConfigurationValue] = [:]
        collect(try #require(root.at("$defs")?.at("provider_http")), at: "", into: &keys)
        let rules = try rules()
        #expect(Set(keys.keys).subtracting(rules.keys) == [])
        #expect(Set(rules.keys).subtracting(keys.keys) == [])
        for (path, schema) in keys {
            // What may be a string or an object has no one kind, and what depends on the kind has the last one's.
            guard let rule = rules[path], path != "type", path != "settings.*.read", !path.hasSuffix(".default") else {
                continue
            }
            let types = schema.at("type")?.list?.compactMap(\.string) ?? schema.at("type")?.string.map { [$0] } ?? []
            switch rule.kind {
            case .string: #expect(types.contains("string"), "\(path)")
            case .boolean: #expect(types.contains("boolean"), "\(path)")
            case .scalar: #expect(Set(types).isSuperset(of: ["string", "number", "boolean"]), "\(path)")
            case .section: #expect(types.contains("object") || schema.at("$ref") != nil, "\(path)")
            case .sections, .strings: #expect(types.contains("array"), "\(path)")
            case .secret: #expect(schema.at("$ref")?.string == "#/$defs/secret", "\(path)")
            case .json: #expect(types == [], "\(path)")
            case .word:
                let words = schema.at("enum")?.list?.compactMap(\.string) ?? []
                #expect(Set(words) == Set(rule.words), "\(path)")
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
    }

    @Test func theDocumentationListsEveryKey() throws {
        let text = try String(contentsOf: Self.repository.appending(path: "docs/providers/http.md"), encoding: .utf8)
        let common = "settings.*."
        for path in try rules().keys.sorted() where !path.hasSuffix("*") && path != "type" {
            // What all providers share is described once for all of them.
            let isOwn = ["read", "write", "optional"].contains { path.hasPrefix(common + $0) }
            guard isOwn || !path.hasPrefix(common), !path.hasPrefix("confirm.") else { continue }
            let key = path.split(separator: ".").last ?? ""
            #expect(text.contains("| `\(key)` | "), "\(path)")
        }
    }
}

extension ConfigurationValue {
    fileprivate var object: [Member]? { if case .object(let members) = content { members } else { nil } }
    fileprivate var list: [ConfigurationValue]? { if case .array(let elements) = content { elements } else { nil } }
    fileprivate var string: String? { if case .string(let text) = content { text } else { nil } }
    fileprivate var double: Double? { if case .number(let number) = content { number } else { nil } }
    fileprivate func at(_ key: String) -> ConfigurationValue? { object?.first { $0.key == key }?.value }
}
