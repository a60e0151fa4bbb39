import AccessorySettings
import Foundation
import Testing

@testable import DeviceProviders
@testable import SettingsBridge

/// That the schema and the readers of `command` and `process` know and demand the same.
@Suite("Schema of commands and plug-ins") struct ChildSchemaTests {
    /// With all keys that there are.
    private static let settings = """
        "t": { "kind": "toggle", "label": "T", "detail": "d", "on": 1, "off": 0, "on_label": "a", "off_label": "b", "default": true,
               "home_assistant": { "name": "n", "icon": "i", "device_class": "d", "state_class": "s",
                                   "entity_category": "config", "enabled_by_default": false },
               "enabled_when": { "setting": "e", "equals": "a" }, "hidden_when": { "setting": "e", "equals": "a" } READ },
        "r": { "kind": "range", "min": 0, "max": 1, "step": 0.5, "integer": false, "precision": 1, "unit": "s", "scale": 2,
               "offset": 1 WRITE },
        "e": { "kind": "enumeration", "options": [{ "value": "a", "label": "A", "code": 1 }] },
        "x": { "kind": "text", "placeholder": "p", "max_length": 3, "secret": true }
        """

    private static let common = """
        "directory": "/", "environment": { "A": "b" }, "timeout": 1, "confirm": { "within": 1, "every": 1 }, "retries": 1
        """

    private static let sections = [
        "command": """
        { "type": "command", \(common),
          "read": { "text": { "command": ["true"], "output": "text" },
                    "json": { "command": ["true"], "output": "json" },
                    "lines": { "command": ["true"], "output": "key_value", "separator": ":" } },
          "write_together": { "command": ["true"], "each": ["{{setting}}={{value}}"], "input": "json" },
          "settings": { \(settings
                .replacing("READ", with: #", "read": { "from": "text", "line": "a", "after": "b", "before": "c" }"#)
                .replacing("WRITE", with: """
                    , "read": { "from": "json", "pointer": "/a" }, "write": { "command": ["true"], "environment": { "V": "{{value}}" },
                      "input": "text" }
                    """)),
            "i": { "kind": "information", "read": { "from": "lines", "key": "k" } } } }
        """,
        "process": """
        { "type": "process", "command": ["true"], \(common),
          "settings": { \(settings.replacing("READ", with: "").replacing("WRITE", with: "")) } }
        """,
    ]

    private func schema() throws -> ConfigurationValue {
        let file = examplesFolder.deletingLastPathComponent().appending(path: "settings2mqtt.schema.json")
        return try JSON5Parser.parse(Array(Data(contentsOf: file))).value
    }

    private struct Key {
        var schema: ConfigurationValue
        var isRequired: Bool
    }

    /// Every key below a schema, with `*` for names that people choose.
    private func keys(_ schema: ConfigurationValue, of root: ConfigurationValue, at path: String = "") -> [String: Key]
    {
        let schema = resolved(schema, root)
        let required = (schema["required"]?.content.elements ?? []).compactMap(\.content.text)
        var keys: [String: Key] = [:]
        for property in schema["properties"]?.content.members ?? [] {
            let name = path.isEmpty ? property.key : "\(path).\(property.key)"
            let isRequired = required.contains(property.key)
            keys[name] = Key(schema: resolved(property.value, root), isRequired: isRequired)
            keys.merge(self.keys(property.value, of: root, at: name)) { $1 }
        }
        if let items = schema["items"] { keys.merge(self.keys(items, of: root, at: path + "[]")) { $1 } }
        if let others = schema["additionalProperties"], !others.content.members.isEmpty {
            keys[path + ".*"] = Key(schema: resolved(others, root), isRequired: false)
            keys.merge(self.keys(others, of: root, at: path + ".*")) { $1 }
        }
        return keys
    }

    private func resolved(_ schema: ConfigurationValue, _ root: ConfigurationValue) -> ConfigurationValue {
        guard let name = schema["$ref"]?.content.text else { return schema }
        return root["$defs"]?[name.replacing("#/$defs/", with: "")] ?? schema
    }

    @Test(arguments: ["command", "process"])
    func schemaAndReaderAgree(_ type: String) throws {
        let root = try schema()
        let keys = keys(try #require(root["$defs"]?["provider_" + type]), of: root)
            .filter { !$0.key.hasPrefix("environment.*") }
        let section = try #require(Self.sections[type])
        let prefix = "accessories[].provider."
        let rules = try DeclaredAccessory.rules(section).rules.filter {
            $0.path.hasPrefix(prefix) && !$0.path.hasPrefix(prefix + "environment.*")
        }
        #expect(Set(rules.map { String($0.path.dropFirst(prefix.count)) }) == Set(keys.keys))
        for rule in rules {
            guard let key = keys[String(rule.path.dropFirst(prefix.count))] else { continue }
            check(key.schema, key.isRequired, rule)
        }
    }

    private func check(_ schema: ConfigurationValue, _ isRequired: Bool, _ rule: ConfigurationRule) {
        let types =
            schema["type"]?.content.elements?.compactMap(\.content.text) ?? schema["type"].map {
                [$0.content.text ?? ""]
            } ?? []
        switch rule.kind {
        case .word where rule.path.hasSuffix(".type") || rule.path.hasSuffix(".from"): break
        case .word:
            let words = (schema["enum"]?.content.elements ?? []).compactMap(\.content.text)
            #expect(Set(words) == Set(rule.words), "\(rule.path)")
        case .integer:
            #expect(schema["minimum"]?.content.number == rule.range?.lowerBound, "\(rule.path)")
            #expect(schema["maximum"]?.content.number == rule.range?.upperBound, "\(rule.path)")
        case .duration:
            let number = schema["anyOf"]?.content.elements?.first { $0["type"]?.content.text == "number" }
            #expect(number?["minimum"]?.content.number == rule.range?.lowerBound, "\(rule.path)")
            #expect(number?["maximum"]?.content.number == rule.range?.upperBound, "\(rule.path)")
        case .section: #expect(types.contains("object"), "\(rule.path)")
        case .strings, .sections: #expect(types.contains("array"), "\(rule.path)")
        // One key with several meanings: the default of each kind of setting.
        case .string, .boolean, .number, .scalar:
            #expect(types.contains(rule.kind == .scalar ? "string" : rule.kind.rawValue), "\(rule.path)")
        default: Issue.record("\(rule.path): no such kind of key was expected")
        }
        // Whether they are needed depends on other keys.
        guard !["options", "from", "key", "pointer"].contains(where: { rule.path.hasSuffix("." + $0) }) else { return }
        // Named settings, commands and variables are there because somebody named them; `settings` is required of whoever
        // has it at all.
        let isNamed = rule.path.hasSuffix("*") || rule.path.hasSuffix("provider.settings")
        #expect(isNamed || isRequired == rule.isRequired, "\(rule.path)")
    }

    @Test func everyKeyIsInTheDocumentation() throws {
        let docs = examplesFolder.deletingLastPathComponent().deletingLastPathComponent().appending(
            path: "docs/providers")
        let root = try schema()
        for type in ["command", "process"] {
            let text = try String(contentsOf: docs.appending(path: "\(type).md"), encoding: .utf8)
            let common = try keys(#require(root["$defs"]?["provider_process"]), of: root).keys
                .filter { $0.hasPrefix("settings.") }
            for path in try keys(#require(root["$defs"]?["provider_" + type]), of: root).keys
            where !common.contains(path) {
                let key = path.split(separator: ".").last ?? ""
                #expect(key.hasSuffix("*") || text.contains("`\(key)`"), "\(type): \(path)")
            }
        }
    }

    @Test("The documentation quotes time-outs as they are said")
    func timeouts() throws {
        let docs = examplesFolder.deletingLastPathComponent().deletingLastPathComponent().appending(
            path: "docs/providers")
        let limit = Duration.seconds(5).text
        for (type, sentence) in [
            ("command", "`lampctl did not end within \(limit)`"),
            ("process", "`plug-in lamp.py did not answer 'read' within \(limit)`"),
        ] {
            let text = try String(contentsOf: docs.appending(path: "\(type).md"), encoding: .utf8)
            #expect(text.contains(sentence))
        }
    }

    @Test("The examples load without a fault", arguments: ["mpd.json", "plugins.json"])
    func examples(_ name: String) throws {
        let configuration = try BridgeConfiguration.load(
            path: examplesFolder.appending(path: name).path, environment: [:], factories: DeviceProviderFactories.all,
            accessoriesNeedProvider: true)
        #expect(configuration.warnings == [])
        #expect(!configuration.accessories.isEmpty)
    }
}

extension ConfigurationValue {
    fileprivate subscript(key: String) -> ConfigurationValue? { content.members.first { $0.key == key }?.value }
}

extension ConfigurationValue.Content {
    fileprivate var members: [ConfigurationValue.Member] { if case .object(let members) = self { members } else { [] } }
    fileprivate var elements: [ConfigurationValue]? { if case .array(let elements) = self { elements } else { nil } }
    fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }
    fileprivate var number: Double? { if case .number(let number) = self { number } else { nil } }
}
