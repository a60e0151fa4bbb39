import Testing

@testable import DeviceProviders

@Suite("Faults in the configuration of commands and plug-ins") struct CommandFaultTests {
    private static func setting(_ text: String, read: String = "") -> String {
        #"{ "type": "command", \#(read) "settings": { "x": { \#(text) } } }"#
    }

    private static let write = #""write": { "command": ["true", "{{value}}"] }"#
    private static let reads =
        #""read": { "a": { "command": ["true"] }, "b": { "command": ["true"], "output": "json" } },"#

    @Test(
        "Each says what would be right",
        arguments: [
            (setting(#""kind": "text""#), ["settings.x needs 'write', or the provider 'write_together'"]),
            (
                setting(#""kind": "information""#),
                [
                    "settings.x.read is missing: an information can only be read"
                ]
            ),
            (
                setting(#""kind": "information", "read": { "line": "a" }"#),
                [
                    "settings.x.read needs a command under 'read' of the provider"
                ]
            ),
            (
                setting(#""kind": "information", "read": {}"#, read: reads),
                [
                    "settings.x.read.from is missing; it must be one of a, b"
                ]
            ),
            (
                setting(#""kind": "information", "read": { "from": "b" }"#, read: reads),
                ["settings.x.read.pointer is missing"]
            ),
            (
                setting(#""kind": "information", "read": { "from": "b", "pointer": "a" }"#, read: reads),
                [
                    "settings.x.read.pointer must be a JSON Pointer such as \"/config/power\" (~1 stands for /, ~0 for ~)"
                ]
            ),
            (
                setting(#""kind": "information", "read": { "from": "a", "pointer": "/a" }"#, read: reads),
                [
                    "settings.x.read unknown key 'pointer'; the keys here are from, line, after, before"
                ]
            ),
            (
                setting(
                    #""kind": "information", "read": { "pointer": "/a" }"#,
                    read: #""read": { "a": { "command": ["true"], "output": "jsn" } },"#),
                ["read.a.output must be one of text, json, key_value, found 'jsn'; did you mean 'json'?"]
            ),
            (
                setting(
                    #""kind": "information", "read": { "pointer": "/a" }"#,
                    read: #""read": { "a": { "command": "true", "output": "json" } },"#),
                ["read.a.command must be a list of strings: [ \"…\" ], found a string"]
            ),
            (setting(#""kind": "text", "write": {}"#), ["settings.x.write.command is missing"]),
            (
                setting(#""kind": "text", "write": { "command": [] }"#),
                [
                    "settings.x.write.command must begin with the name of a program"
                ]
            ),
            (
                setting(#""kind": "text", "write": { "command": "mpc {{value}}" }"#),
                [
                    "settings.x.write.command must be a list of strings: [ \"…\" ], found a string"
                ]
            ),
            (
                setting(#""kind": "text", "write": { "command": ["{{value}}"] }"#),
                [
                    "settings.x.write.command must begin with a program, without {{…}}"
                ]
            ),
            (
                setting(#""kind": "text", "write": { "command": ["a", "{{vlaue}}", "{{value"] }"#),
                [
                    "settings.x.write.command may hold {{value}} and {{setting}}, but no other {{…}}",
                    "settings.x.write.command has a '{{' without '}}'",
                ]
            ),
            (
                setting(#""kind": "text", "write": { "command": ["a"] }"#),
                [
                    "settings.x.write does not pass on the value; it needs {{value}} in an argument or in 'environment', or 'input'"
                ]
            ),
            (
                setting(
                    #""kind": "text", "write": { "command": ["a"], "environment": { "A-B": "{{value}}" }, "input": "xml" }"#
                ),
                [
                    "settings.x.write.environment.A-B must be the name of an environment variable: letters, digits and _",
                    "settings.x.write.input must be one of text, json, found 'xml'",
                ]
            ),
            (
                #"{ "type": "command", "write_together": { "command": ["a", "{{value}}"] }, "settings": { "x": { "kind": "text" } } }"#,
                [
                    "write_together.command must not hold {{…}}; what is said of each setting belongs to 'each'"
                ]
            ),
            (
                #"{ "type": "command", "write_together": { "command": ["a"] }, "settings": { "x": { "kind": "text" } } }"#,
                ["write_together does not pass on the value; it needs 'each' or 'input'"]
            ),
            (
                setting(#""kind": "text", \#(write)"#, read: #""directory": "/no/such", "timeout": "0s","#),
                [
                    "directory /no/such is no folder", "timeout must be 10ms to 10m, found '0s'",
                ]
            ),
            (
                setting(#""kind": "text", \#(write)"#, read: #""environment": { "A": { "env": "NOT_SET" } },"#),
                [
                    "environment.A the environment variable NOT_SET is not set"
                ]
            ),
            (#"{ "type": "process" }"#, ["command is missing"]),
            (
                #"{ "type": "process", "command": ["a"], "settings": {} }"#,
                ["settings must declare at least one setting"]
            ),
            (
                #"{ "type": "process", "command": ["a\u0000"], "retrys": {} }"#,
                [
                    "command[0] must not contain the control character U+0000",
                    "unknown key 'retrys'; did you mean 'retries'?",
                ]
            ),
        ])
    func faults(_ section: String, _ sentences: [String]) {
        #expect(Set(DeclaredAccessory.faults(section)) == Set(sentences))
    }
}
