import Testing

@Suite("The schema and the parser agree on providers") struct ProviderSchemaTests {
    /// Settings of all kinds, each with the provider's own keys.
    private func settings(_ own: String, informationHas: String? = nil) -> String {
        """
        "a": { "kind": "toggle", \(own) },
        "b": { "kind": "range", \(own), "enabled_when": { "setting": "a", "equals": true }, "hidden_when": { "setting": "a", "equals": true },
               "home_assistant": {} },
        "c": { "kind": "enumeration", "options": [ { "value": "x" } ], \(own) },
        "d": { "kind": "text", \(own) },
        "e": { "kind": "information", "unit": "s", \(informationHas ?? own) }
        """
    }

    @Test func simulated() throws {
        try ProviderSchema("simulated").expectAgreement(with: [
            #"{ "type": "simulated", "model": "generator", "settings": 1 }"#
        ])
    }

    @Test func http() throws {
        let request = #""path": "/x", "query": { "a": "b" }, "headers": { "A": "b" }, "expect": { "pointer": "/a" }"#
        let own = settings(
            #""read": "r#/x", "write": { \#(request), "form": { "a": "{{value}}" } }"#,
            informationHas: #""read": { "from": "r", "pointer": "" }"#)
        try ProviderSchema("http").expectAgreement(with: [
            """
            { "type": "http", "url": "https://a", "confirm": {}, "auth": { "type": "basic", "user": "u", "password": "p" },
              "headers": { "A": "b" }, "secrets": { "s": "x" }, "reads": { "r": { \(request), "form": { "a": "b" } } },
              "settings": { \(own) } }
            """
        ])
    }

    @Test func file() throws {
        try ProviderSchema("file").expectAgreement(with: [
            #"{ "type": "file", "format": "text", "confirm": {}, "files": { "x": "x" }, "settings": { \#(settings(#""file": "x""#)) } }"#,
            #"{ "type": "file", "format": "json", "path": "x", "settings": { \#(settings(#""pointer": """#)) } }"#,
            #"{ "type": "file", "format": "ini", "path": "x", "settings": { \#(settings(#""key": "k""#)) } }"#,
        ])
    }

    @Test func mqtt() throws {
        let own = settings(
            #""state": { "topic": "s" }, "command": { "topic": "c", "response": { "topic": "r" } }"#,
            informationHas: #""state": { "topic": "s" }"#)
        try ProviderSchema("mqtt").expectAgreement(with: [
            #"{ "type": "mqtt", "confirm": {}, "availability": { "topic": "a" }, "request": { "topic": "q" }, "settings": { \#(own) } }"#
        ])
    }
}
