import AccessorySettings
import Foundation
import TestSupport
import Testing

@testable import DeviceProviders
@testable import SettingsBridge

@MainActor @Suite("Writing with commands", .timeLimit(.minutes(2))) struct CommandWritingTests {
    private let folder = try! DeviceFolder()

    /// Values that would be something else to a shell, a template, a path or a line.
    nonisolated static let nasty = [
        #"a "b" 'c' `d`"#, "line\nline", "$(touch pwned)", "; touch pwned", "& touch pwned", "| cat", "100%s %d",
        "../../etc",
        "{{value}}", "{{setting}}", "${HOME}", "\\", "*", "~", "a\u{1}b", "ü🙂", "--", "",
    ]

    /// A program that keeps what it was called with: its arguments, one variable and its standard input, each with its end.
    private func recorder() throws -> String {
        try folder.script(
            "record",
            """
            cd "\(folder.path)"
            for argument in "$@"; do printf '<%s>' "$argument"; done >arguments
            printf '<%s>' "${VALUE-}" >variable
            cat >input
            """)
    }

    @Test("A value is one argument, or one part of it, whatever it holds", arguments: nasty)
    func arguments(_ value: String) async throws {
        let device = try DeclaredAccessory(
            """
            { "type": "command", "settings": { "name": { "kind": "text", "write": {
                "command": ["\(recorder())", "--", "{{value}}", "--name={{value}};{{setting}}", "end"] } } } }
            """)
        try await device.write(["name": .text(value)])
        #expect(folder.text("arguments") == "<--><\(value)><--name=\(value);name><end>")
        #expect(folder.text("variable") == "<>")
        #expect(folder.text("input") == "")
        #expect(folder.text("pwned") == nil)
    }

    @Test("A value is one variable, or one part of it, whatever it holds", arguments: nasty)
    func variables(_ value: String) async throws {
        let device = try DeclaredAccessory(
            """
            { "type": "command", "settings": { "name": { "kind": "text", "write": {
                "command": ["\(recorder())"], "environment": { "VALUE": "[{{value}}]" } } } } }
            """)
        try await device.write(["name": .text(value)])
        #expect(folder.text("variable") == "<[\(value)]>")
        #expect(folder.text("arguments") == "")
    }

    @Test("A value is the standard input, as text and as JSON", arguments: nasty + ["a\0b"])
    func input(_ value: String) async throws {
        for input in ["text", "json"] {
            let device = try DeclaredAccessory(
                """
                { "type": "command", "settings": { "name": { "kind": "text", "write": {
                    "command": ["\(recorder())"], "input": "\(input)" } } } }
                """)
            try await device.write(["name": .text(value)])
            let written = try #require(folder.text("input"))
            #expect(written.hasSuffix("\n"))
            if input == "text" {
                #expect(written == value + "\n")
            } else {
                #expect(try JSONValue.parse(Array(written.utf8)) == .string(value))
            }
        }
    }

    @Test(
        "U+0000 is refused where C would end the text",
        arguments: [
            #""command": ["true", "{{value}}"]"#, #""command": ["true"], "environment": { "X": "{{value}}" }"#,
        ])
    func nul(_ write: String) async throws {
        let device = try DeclaredAccessory(
            #"{ "type": "command", "settings": { "name": { "kind": "text", "write": { \#(write) } } } }"#)
        #expect(
            await failure { try await device.write(["name": .text("a\0b")]) }
                == "writing name: the value of name holds the character U+0000, which can't be part of an argument or of "
                + "the environment")
    }

    @Test func textIsNoOptionUnlessTheCommandSaysSo() async throws {
        func device(_ arguments: String) throws -> DeclaredAccessory {
            try DeclaredAccessory(
                """
                { "type": "command", "settings": {
                    "name": { "kind": "text", "write": { "command": ["\(recorder())", \(arguments)] } },
                    "offset": { "kind": "range", "write": { "command": ["\(recorder())", "{{value}}"] } } } }
                """)
        }
        let bare = try device(#""{{value}}""#)
        #expect(
            await failure { try await bare.write(["name": .text("--force")]) }
                == "writing name: the value of name begins with '-', so that \(try! recorder()) could take it for an option"
        )
        #expect(folder.text("arguments") == nil)
        try await bare.write(["offset": .number(-12)])
        #expect(folder.text("arguments") == "<-12>")
        try await device(#""--", "{{value}}""#).write(["name": .text("--force")])
        #expect(folder.text("arguments") == "<--><--force>")
        try await device(#""--name={{value}}""#).write(["name": .text("--force")])
        #expect(folder.text("arguments") == "<--name=--force>")
    }

    @Test func allChangesCanGoToOneCommand() async throws {
        let device = try DeclaredAccessory(
            """
            { "type": "command",
              "write_together": { "command": ["\(recorder())", "set"], "each": ["--{{setting}}", "{{value}}"], "input": "json" },
              "settings": { "power": { "kind": "toggle", "on": "on", "off": "off" },
                            "level": { "kind": "range", "integer": true },
                            "name": { "kind": "text", "write": { "command": ["sh", "-c", "echo \\"$1\\" >\(folder.path)/name", "sh", "{{value}}"] } } } }
            """)
        try await device.write(["power": .toggle(false), "name": .text("Desk"), "level": .number(7)])
        #expect(folder.text("arguments") == "<set><--power><off><--level><7>")
        #expect(folder.text("input") == #"{"power":"off","level":7}"# + "\n")
        #expect(folder.text("name") == "Desk\n")
    }

    @Test func oneFailureDoesNotKeepTheOthersFromBeingWritten() async throws {
        let device = try DeclaredAccessory(
            """
            { "type": "command", "settings": {
                "a": { "kind": "text", "write": { "command": ["sh", "-c", "echo busy >&2; exit 3", "{{value}}"] } },
                "b": { "kind": "text", "write": { "command": ["\(recorder())", "{{value}}"] } } } }
            """)
        #expect(
            try await failedSettings { try await device.write(["a": .text("1"), "b": .text("2")]) }
                == ["a": "writing a: sh ended with exit code 3: busy"])
        #expect(folder.text("arguments") == "<2>")
    }

    @Test func aWrittenSecretIsInNoError() async throws {
        let device = try DeclaredAccessory(
            """
            { "type": "command", "environment": { "TOKEN": "token-123" }, "settings": {
                "key": { "kind": "text", "secret": true, "write": {
                    "command": ["sh", "-c", "echo \\"no: $1 $TOKEN\\" >&2; exit 1", "sh", "{{value}}"] } } } }
            """)
        #expect(
            await failure { try await device.write(["key": .text("pass word")]) }
                == "writing key: sh ended with exit code 1: no: <secret> <secret>")
    }
}
