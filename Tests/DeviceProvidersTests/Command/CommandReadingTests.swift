import AccessorySettings
import Foundation
import TestSupport
import Testing

@testable import DeviceProviders
@testable import SettingsBridge

@MainActor @Suite("Reading with commands", .timeLimit(.minutes(2))) struct CommandReadingTests {
    private let folder = try! DeviceFolder()

    @Test func textIsTakenWholeByLineAndBetweenTexts() async throws {
        let device = try DeclaredAccessory(
            """
            { "type": "command",
              "read": { "status": { "command": ["printf", "%s", "  volume: 40%   random: on   single: off\\nname:  Desk  \\n"] },
                        "mode": { "command": ["echo", "  warm "] } },
              "settings": {
                "mode": { "kind": "information", "read": { "from": "mode" } },
                "name": { "kind": "information", "read": { "from": "status", "line": "name:" } },
                "volume": { "kind": "information", "unit": "%", "read": { "from": "status", "after": "volume:", "before": "%" } },
                "random": { "kind": "information", "read": { "from": "status", "line": "  volume", "after": "random: ", "before": " " } }
              } }
            """)
        #expect(
            try await device.values() == [
                "mode": .text("warm"), "name": .text("Desk"), "volume": .text("40"), "random": .text("on"),
            ])
    }

    @Test func jsonIsTakenByPointer() async throws {
        let device = try DeclaredAccessory(
            """
            { "type": "command",
              "read": { "all": { "command": ["echo", "{\\"a/b\\": {\\"on\\": true}, \\"list\\": [1, 21.5], \\"none\\": null}"], "output": "json" } },
              "settings": {
                "on": { "kind": "toggle", "read": { "pointer": "/a~1b/on" }, "write": { "command": ["true", "{{value}}"] } },
                "temp": { "kind": "range", "read": { "pointer": "/list/1" }, "write": { "command": ["true", "{{value}}"] } },
                "none": { "kind": "information", "read": { "pointer": "/none" } }
              } }
            """)
        #expect(try await device.values() == ["on": .toggle(true), "temp": .number(21.5)])
    }

    @Test func linesOfKeysAndValuesAreTakenByKey() async throws {
        let device = try DeclaredAccessory(
            """
            { "type": "command",
              "read": { "all": { "command": ["printf", "%s", "power=on\\nname = a=b \\npower=off\\n"], "output": "key_value" },
                        "colons": { "command": ["echo", "state: idle"], "output": "key_value", "separator": ":" } },
              "settings": {
                "power": { "kind": "information", "read": { "from": "all", "key": "power" } },
                "name": { "kind": "information", "read": { "from": "all", "key": "name" } },
                "state": { "kind": "information", "read": { "from": "colons", "key": "state" } }
              } }
            """)
        #expect(
            try await device.values() == ["power": .text("on"), "name": .text("a=b"), "state": .text("idle")])
    }

    @Test func aCommandRunsOnceForAReading() async throws {
        let script = try folder.script("count", #"echo run >>"\#(folder.path)/runs"; echo '{"a": 1, "b": 2}'"#)
        let device = try DeclaredAccessory(
            """
            { "type": "command", "read": { "all": { "command": ["\(script)"], "output": "json" } },
              "settings": { "a": { "kind": "information", "read": { "pointer": "/a" } },
                            "b": { "kind": "information", "read": { "pointer": "/b" } } } }
            """)
        #expect(try await device.values() == ["a": .text("1"), "b": .text("2")])
        #expect(folder.text("runs") == "run\n")
    }

    @Test(
        "A reading that can't be understood fails, and says what and why",
        arguments: [
            (#"["echo", "a"]"#, "text", #""line": "b""#, "its output has no line that begins with 'b'"),
            (#"["echo", "a"]"#, "text", #""after": "b""#, "its output has no 'b'"),
            (#"["echo", "ab"]"#, "text", #""after": "a", "before": "c""#, "its output has no 'c' after 'a'"),
            (#"["echo", "warm"]"#, "text", "", "'warm' is no value of a range"),
            (#"["echo", "a=1"]"#, "key_value", #""key": "b""#, "its output has no line with the key b"),
            (#"["echo", "{}"]"#, "json", #""pointer": "/b""#, "its output has nothing at /b"),
            (#"["echo", "{\"b\":[1]}"]"#, "json", #""pointer": "/b""#, "at /b its output has no single value"),
        ])
    func misunderstandings(_ command: String, _ format: String, _ part: String, _ reason: String) async throws {
        let device = try DeclaredAccessory(
            """
            { "type": "command", "read": { "all": { "command": \(command), "output": "\(format)" } },
              "settings": { "x": { "kind": "range", "read": { \(part) }, "write": { "command": ["true", "{{value}}"] } } } }
            """)
        #expect(
            await failure { _ = try await device.settings() } == "reading x with command 'all': \(reason)")
    }

    @Test("O10: a secret in the output is in no sentence")
    func secretsInTheOutput() async throws {
        let device = try DeclaredAccessory(
            """
            { "type": "command", "environment": { "TOKEN": "token-123" },
              "read": { "all": { "command": ["sh", "-c", "echo \\"key: $TOKEN\\"; cat written"] } }, "directory": "\(folder.path)",
              "settings": {
                "x": { "kind": "range", "read": {}, "write": { "command": ["true", "{{value}}"] } },
                "key": { "kind": "text", "secret": true, "write": { "command": ["cp", "/dev/stdin", "written"], "input": "json" } } } }
            """)
        let key = Setting(SettingDescriptor(id: "key", label: "", kind: .text(isSecret: true)), value: nil)
        try await device.write(["key": .text("pass \"word\"")], as: [key])
        #expect(
            await failure { _ = try await device.settings() }
                == "reading x with command 'all': 'key: <secret> \"<secret>\"' is no value of a range")
    }

    @Test(
        "Output that is no JSON, no UTF-8 or too long fails",
        arguments: [
            (#"["echo", "<html>"]"#, "json", "its output is not JSON"),
            (#"["printf", "\\377"]"#, "text", "its output is not UTF-8"),
            (#"["head", "-c", "1048577", "/dev/zero"]"#, "text", "it printed more than 1 MB"),
            (#"["yes"]"#, "text", "it printed more than 1 MB"),
        ])
    func faultyOutput(_ command: String, _ format: String, _ reason: String) async throws {
        let part = format == "json" ? #""pointer": "/a""# : ""
        let device = try DeclaredAccessory(
            """
            { "type": "command", "read": { "all": { "command": \(command), "output": "\(format)" } },
              "settings": { "x": { "kind": "information", "read": { \(part) } } } }
            """)
        let sentence = await failure { _ = try await device.settings() }
        #expect(sentence.hasPrefix("reading with command 'all': \(reason)"), "\(sentence)")
    }

    @Test func aMegabyteIsNotTooLong() async throws {
        let run = Launch(arguments: ["head", "-c", "1048576", "/dev/zero"])
        #expect(try await run.run().count == 1 << 20)
    }

    @Test func theEnvironmentAndTheFolderAreTheConfigured() async throws {
        try folder.write("token", "s3cret-token\n")
        _ = try folder.script(
            "show", #"echo "[\#(folder.path)] $PWD $PLAIN $TOKEN""#)
        let device = try DeclaredAccessory(
            """
            { "type": "command", "read": { "all": { "command": ["./show"] } },
              "environment": { "PLAIN": "$(id) 'x", "TOKEN": { "file": "token" } },
              "settings": { "x": { "kind": "information", "read": {} } } }
            """, in: folder)
        #expect(
            try await device.values()["x"] == .text("[\(folder.path)] \(folder.path) $(id) 'x s3cret-token"))
    }

}
