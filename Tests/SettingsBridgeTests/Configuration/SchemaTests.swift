import Foundation
import Testing

@testable import SettingsBridge

@Suite("JSON Schema of the configuration")
struct SchemaTests {
    private let folder = repositoryFolder.appending(path: "config")

    private func read(_ name: String) throws -> ConfigurationValue {
        try JSON5Parser.parse(Array(Data(contentsOf: folder.appending(path: name)))).value
    }

    private func schema() throws -> ConfigurationValue { try read("settings2mqtt.schema.json") }

    /// Every key of the schema with what is demanded of it.
    private func keys(
        _ schema: ConfigurationValue, at path: String = "", into keys: inout [String: (ConfigurationValue, Bool)]
    ) {
        let required = schema["required"]?.elements?.compactMap(\.text) ?? []
        for property in schema["properties"]?.members ?? [] {
            let propertyPath = path.isEmpty ? property.key : "\(path).\(property.key)"
            keys[propertyPath] = (property.value, required.contains(property.key))
            self.keys(property.value, at: propertyPath, into: &keys)
            if let items = property.value["items"] { self.keys(items, at: propertyPath + "[]", into: &keys) }
        }
    }

    private func rules() throws -> [ConfigurationRule] {
        try BridgeConfiguration.parse(
            Array(SampleConfiguration.complete.utf8), file: "f", environment: ["MQTT_PASSWORD": "p"],
            factories: SampleConfiguration.factories
        ).rules.filter { !$0.path.hasPrefix("accessories[].provider.") || $0.path.hasSuffix("provider.type") }
    }

    @Test func schemaAndParserKnowTheSameKeys() throws {
        var keys: [String: (ConfigurationValue, Bool)] = [:]
        self.keys(try schema(), into: &keys)
        #expect(try Set(rules().map(\.path)) == Set(keys.keys))
        for (path, key) in keys {
            #expect(key.0["description"]?.text?.isEmpty == false, "\(path) has no description")
        }
    }

    @Test func schemaAndParserDemandTheSame() throws {
        var keys: [String: (ConfigurationValue, Bool)] = [:]
        self.keys(try schema(), into: &keys)
        for rule in try rules() {
            let (schema, isRequired) = try #require(keys[rule.path], "\(rule.path)")
            #expect(isRequired == rule.isRequired, "\(rule.path)")
            let types = schema["type"]?.elements?.compactMap(\.text) ?? schema["type"]?.text.map { [$0] } ?? []
            let null = rule.isRequired ? [] : ["null"]
            switch rule.kind {
            case .string: #expect(types == ["string"] + null, "\(rule.path)")
            case .boolean: #expect(types == ["boolean"] + null, "\(rule.path)")
            case .scalar: #expect(Set(types) == Set(["string", "number", "boolean"] + null), "\(rule.path)")
            case .section: #expect(types == ["object"] + null, "\(rule.path)")
            case .sections, .strings: #expect(types == ["array"] + null, "\(rule.path)")
            case .secret: #expect(schema["$ref"]?.text == "#/$defs/secret", "\(rule.path)")
            case .integer, .number:
                #expect(types == [rule.kind.rawValue] + null, "\(rule.path)")
                #expect(schema["minimum"]?.number == rule.range?.lowerBound, "\(rule.path)")
                #expect(schema["maximum"]?.number == rule.range?.upperBound, "\(rule.path)")
            case .duration:
                let alternatives = try #require(schema["anyOf"]?.elements, "\(rule.path)")
                let number = alternatives.first { $0["type"]?.text == "number" }
                #expect(number?["minimum"]?.number == rule.range?.lowerBound, "\(rule.path)")
                #expect(number?["maximum"]?.number == rule.range?.upperBound, "\(rule.path)")
                let allowsZero = alternatives.contains { $0["const"]?.number == 0 || $0["minimum"]?.number == 0 }
                #expect(allowsZero == rule.allowsZero, "\(rule.path)")
            case .word where rule.path != "accessories[].provider.type":
                let words = schema["enum"]?.elements?.compactMap(\.text) ?? []
                #expect(Set(words) == Set(rule.words), "\(rule.path)")
            case .word: #expect(types == ["string"])
            case .json: #expect(types == [], "\(rule.path)")
            }
        }
    }

    @Test("The defaults of the schema are those of the parser")
    func defaults() throws {
        var keys: [String: (ConfigurationValue, Bool)] = [:]
        self.keys(try schema(), into: &keys)
        func printed(_ text: String) throws -> String {
            var output = ""
            dump(try parsedConfiguration(text), to: &output)
            return output
        }
        let expected = try printed("{}")
        var count = 0
        for (path, key) in keys {
            guard let value = key.0["default"] else { continue }
            let text =
                switch value.content {
                case .boolean(let flag): "\(flag)"
                case .number(let number): number.plainText
                case .string(let text): "'\(text)'"
                default: ""
                }
            #expect(try printed(configurationText(path, text)) == expected, "\(path)")
            count += 1
        }
        #expect(count == 16)
    }

    @Test("The files in config/ and its examples satisfy the schema")
    func files() throws {
        let validator = SchemaValidator(root: try schema())
        let names = try ["", "examples/"].flatMap { folderName in
            try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: folderName).path).filter {
                $0.hasSuffix(".json") && !$0.hasSuffix(".schema.json")
            }.map { folderName + $0 }
        }
        #expect(names.contains("settings2mqtt.json"))
        for name in names {
            #expect(validator.violations(try read(name)) == [], "\(name)")
        }
    }

    @Test func theStartingConfigurationLoads() throws {
        let configuration = try BridgeConfiguration.load(
            path: folder.appending(path: "settings2mqtt.json").path, environment: [:],
            factories: SampleConfiguration.factories,
            accessoriesNeedProvider: true)
        #expect(configuration.accessories.map(\.id) == ["hallway"])
        #expect(configuration.warnings.isEmpty)
    }

    @Test func theSchemaRefusesWhatTheParserRefuses() throws {
        let validator = SchemaValidator(root: try schema())
        func violations(_ text: String) throws -> Int {
            try validator.violations(JSON5Parser.parse(Array(text.utf8)).value).count
        }
        #expect(try violations(SampleConfiguration.complete) == 0)
        for text in [
            "{ a: 1 }", "{ mqtt: { server: 'localhost' } }", "{ mqtt: { keepalive: 3 } }", "{ timeout: 0 }",
            "{ timeout: '1d' }", "{ log: { level: 'warn' } }", "{ accessories: [ {} ] }",
            "{ accessories: [ { id: '' } ] }",
            "{ accessories: [ { id: 'a', uuid: '1' } ] }", "{ mqtt: { password: { a: 'b' } } }",
            "{ mqtt: { base_topic: 'a/#' } }", "{ offline_after: 0 }",
        ] {
            #expect(try violations(text) > 0, "\(text)")
            #expect(!configurationFaults(text).isEmpty, "\(text)")
        }
    }

    @Test("The documentation lists every key")
    func documentation() throws {
        let text = try String(contentsOf: repositoryFolder.appending(path: "docs/configuration.md"), encoding: .utf8)
        for rule in try rules() where !rule.path.hasSuffix("provider.type") {
            let key = rule.path.split(separator: ".").last ?? ""
            #expect(text.contains("\n| `\(key)` | "), "\(rule.path)")
        }
    }
}
