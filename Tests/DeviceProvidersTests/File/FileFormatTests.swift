import AccessorySettings
import Foundation
import Testing

@testable import DeviceProviders

@MainActor @Suite("Files of each format") struct FileFormatTests {
    @Test func aWholeTextIsRead_AndWrittenWithItsLineEnd() async throws {
        try await withFolder { folder in
            try put("Hello\r\n", folder + "/motd")
            let device = try ConfiguredDevice(
                #"{ "type": "file", "path": "\#(folder)/motd", "format": "text", "settings": { "motd": { "kind": "text" } } }"#
            )
            #expect(try await device.read() == ["motd": .text("Hello")])
            try await device.write(["motd": .text("a\nb \"c\" $(d) ../%&{{value}}")])
            #expect(try content(folder + "/motd") == "a\nb \"c\" $(d) ../%&{{value}}\r\n")
            #expect(try await device.read() == ["motd": .text("a\nb \"c\" $(d) ../%&{{value}}")])
            let sentence = await ConfiguredDevice.sentence { try await device.write(["motd": .text("a\0b")]) }
            #expect(sentence == "\(folder)/motd can't hold the control character U+0000")
        }
    }

    static let document = """
        {
          "server": { "port":8080,  "tls" : false },
          "name": "Lamp \\"one\\"", "tags": ["a", {"b": 1.50}],
          "empty": {},
            "esc\\u0061ped": null
        }

        """

    static let jsonSettings = """
        "port": { "kind": "range", "integer": true, "pointer": "/server/port" },
        "tls": { "kind": "toggle", "pointer": "/server/tls" },
        "name": { "kind": "text", "pointer": "/name" },
        "b": { "kind": "range", "pointer": "/tags/1/b" },
        "escaped": { "kind": "text", "pointer": "/escaped" },
        "new": { "kind": "text", "pointer": "/server/new key" },
        "first": { "kind": "toggle", "pointer": "/empty/first" },
        "nowhere": { "kind": "text", "pointer": "/nowhere/x" }
        """

    @Test func aJSONDocumentKeepsEverythingButTheValues() async throws {
        try await withFolder { folder in
            try put(Self.document, folder + "/app.json")
            let device = try ConfiguredDevice(
                #"{ "type": "file", "path": "\#(folder)/app.json", "format": "json", "settings": { \#(Self.jsonSettings) } }"#
            )
            #expect(
                try await device.read() == [
                    "port": .number(8080), "tls": .toggle(false), "name": .text("Lamp \"one\""), "b": .number(1.5),
                ])
            try await device.write([
                "port": .number(81), "tls": .toggle(true), "name": .text("\"}, \n\0{{value}}\\"), "b": .number(2.25),
                "escaped": .text("x"), "new": .text("y"), "first": .toggle(true),
            ])
            #expect(
                try content(folder + "/app.json") == """
                    {
                      "server": { "port":81,  "tls" : true,  "new key" : "y" },
                      "name": "\\"}, \\n\\u0000{{value}}\\\\", "tags": ["a", {"b": 2.25}],
                      "empty": {"first": true},
                        "esc\\u0061ped": "x"
                    }

                    """)
            #expect(try await device.read()["name"] == .text("\"}, \n\0{{value}}\\"))
            let sentence = await ConfiguredDevice.sentence { try await device.write(["nowhere": .text("x")]) }
            #expect(
                sentence == "\(folder)/app.json has no place for /nowhere/x: what should hold it is no object there")
        }
    }

    static let lines = """
        ; settings of the app
        name=Lamp
        \u{20}\u{20}
        [server]
        # the port
        port = 8080   ; default 80
        title = "My; \u{20}lamp"  # quoted
        empty =
        port_comment = ; nothing

        [other]
        port = 1
        """

    static let iniSettings = """
        "name": { "kind": "text", "key": "name" },
        "port": { "kind": "range", "integer": true, "section": "server", "key": "port" },
        "title": { "kind": "text", "section": "server", "key": "title" },
        "empty": { "kind": "text", "section": "server", "key": "empty" },
        "nothing": { "kind": "text", "section": "server", "key": "port_comment" },
        "new": { "kind": "toggle", "section": "server", "key": "new", "on": "yes", "off": "no" },
        "top": { "kind": "text", "key": "top" },
        "last": { "kind": "text", "section": "other", "key": "last" },
        "far": { "kind": "text", "section": "far away", "key": "far" }
        """

    private func ini(_ folder: String) throws -> ConfiguredDevice {
        try ConfiguredDevice(
            #"{ "type": "file", "path": "\#(folder)/app.ini", "format": "ini", "settings": { \#(Self.iniSettings) } }"#)
    }

    @Test func linesKeepCommentsAndOrderByteForByte() async throws {
        try await withFolder { folder in
            try put(Self.lines, folder + "/app.ini")
            let device = try ini(folder)
            #expect(
                try await device.read() == [
                    "name": .text("Lamp"), "port": .number(8080), "title": .text("My;  lamp"), "empty": .text(""),
                    "nothing": .text(""),
                ])
            try await device.write([
                "name": .text("a=b [c] $(d) ../%& {{value}} e\"f'"), "port": .number(81), "title": .text(" x # y"),
                "empty": .text("e"), "nothing": .text("n"), "new": .toggle(true), "top": .text("t"), "last": .text("l"),
                "far": .text("f"),
            ])
            #expect(
                try content(folder + "/app.ini") == """
                    ; settings of the app
                    name=a=b [c] $(d) ../%& {{value}} e"f'
                    top=t
                    \u{20}\u{20}
                    [server]
                    # the port
                    port = 81   ; default 80
                    title = " x # y"  # quoted
                    empty =e
                    port_comment = n ; nothing
                    new=yes

                    [other]
                    port = 1
                    last=l
                    [far away]
                    far=f

                    """)
            #expect(try await device.read()["name"] == .text("a=b [c] $(d) ../%& {{value}} e\"f'"))
            #expect(try await device.read()["far"] == .text("f"))
        }
    }

    @Test(arguments: [
        ("name", "a\n[server]", "name: a value on one line can't hold the control character U+000A"),
        ("name", "a\0", "name: a value on one line can't hold the control character U+0000"),
        ("name", "a ; b", "name: a value without quotes can't hold what begins a comment (# or ;)"),
        ("name", "#", "name: a value without quotes can't hold what begins a comment (# or ;)"),
        ("name", " a", "name: a value without quotes can't begin or end with a blank"),
        ("name", "\"a\"", "name: a value can't begin with a quote"),
        ("name", "a\\", "name: a value can't end with a backslash"),
        ("title", "a\" # b", "[server] title: a value in quotes can't hold quotes or backslashes"),
        // With an accent behind it, such a scalar is a character of its own to Swift, but not to other programs.
        ("title", "a\"\u{301} # b", "[server] title: a value in quotes can't hold quotes or backslashes"),
        ("name", "\"\u{301}a", "name: a value can't begin with a quote"),
        ("name", "a #\u{301}", "name: a value without quotes can't hold what begins a comment (# or ;)"),
        ("name", "a\u{2028}# b", "name: a value without quotes can't hold what begins a comment (# or ;)"),
        ("name", "\u{2029}a", "name: a value without quotes can't begin or end with a blank"),
        ("name", "a \u{2028}", "name: a value without quotes can't begin or end with a blank"),
    ])
    func whatWouldBreakALineIsRefused(_ id: String, _ value: String, _ sentence: String) async throws {
        try await withFolder { folder in
            try put(Self.lines, folder + "/app.ini")
            let device = try ini(folder)
            let said = await ConfiguredDevice.sentence { try await device.write([id: .text(value)]) }
            #expect(said == "\(folder)/app.ini, \(sentence)")
            #expect(try content(folder + "/app.ini") == Self.lines, "nothing was written")
        }
    }

    @Test(arguments: ["a\u{2028}b", "a\u{2029}b", "\u{301}a", "\u{200D}a", "e\u{301}", "é"])
    func aValueIsReadBackScalarByScalar(_ value: String) async throws {
        for id in ["name", "title", "new"] {
            var lines = INIText(Self.lines)
            let place = INIText.Place(section: id == "name" ? nil : "server", key: id)
            #expect(lines.set(place, to: value) == nil)
            let once = lines.text
            #expect(lines.set(place, to: value) == nil)
            #expect(Array(lines.text.utf8) == Array(once.utf8), "\(id): nothing is added")
            #expect(INIText(once).value(at: place).map { Array($0.utf8) } == Array(value.utf8))
        }
    }

    @Test func whatWouldNotBeReadBackIsRefused() {
        var lines = INIText(Self.lines)
        let place = INIText.Place(section: nil, key: "[key")
        #expect(lines.set(place, to: "a") == "the value would not be read back as it is")
        #expect(lines.text == Self.lines)
    }

    @Test func carriageReturnsStay() async throws {
        try await withFolder { folder in
            try put("[other]\r\na = 1\r\nlast = 2\r\n", folder + "/app.ini")
            let device = try ini(folder)
            try await device.write(["last": .text("3"), "name": .text("n")])
            #expect(try content(folder + "/app.ini") == "name = n\r\n[other]\r\na = 1\r\nlast = 3\r\n")
        }
    }

    @Test("O08: null, a missing key and the word nan in a file are unreadable, the rest is read")
    func unreadable() async throws {
        try await withFolder { folder in
            let device = try ConfiguredDevice(
                """
                { "type": "file", "path": "\(folder)/a.json", "format": "json", "settings": {
                    "current": { "kind": "range", "pointer": "/current" }, "eco": { "kind": "toggle", "pointer": "/eco" } } }
                """)
            for (text, eco) in [
                (#"{"current": null, "eco": true}"#, true), (#"{"eco": false}"#, false),
                (#"{"current": "nan", "eco": true}"#, true),
            ] {
                try put(text, folder + "/a.json")
                #expect(try await device.read() == ["eco": .toggle(eco)])
            }
        }
    }
}
