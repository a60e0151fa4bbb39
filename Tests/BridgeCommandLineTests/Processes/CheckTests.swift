import Foundation
import TestSupport
import Testing

/// `settings2mqtt check` and what every command does with a faulty configuration.
@Suite(.timeLimit(.minutes(2))) struct CheckTests {
    @Test func `--version names the version`() async throws {
        let (status, lines) = try await Program.settings2mqtt.run(["--version"])
        #expect(status == 0)
        #expect(lines.count == 1)
        #expect(lines.first?.wholeMatch(of: #/settings2mqtt \d+\.\d+\.\d+ \(libmosquitto .+\)/#) != nil)
    }

    @Test func `wrong usage exits with 2 and says where help is`() async throws {
        let (status, lines) = try await Program.settings2mqtt.run(["chekc"])
        #expect(status == 2)
        #expect(
            lines == [
                "settings2mqtt: unknown command 'chekc'; did you mean 'check'?", "See 'settings2mqtt --help'.",
            ])
    }

    @Test(
        "O20: syntax faults exit with 2 and one line: file, line, column, reason", arguments: ["run", "check"],
        [
            ("{\n\n\n\n\n \"mqtt\":\n { \"base_topic\": “home” } }", "7:18: a typographic quote “; use \" instead"),
            ("", "1:1: the file is empty"),
        ])
    func syntaxFaults(_ command: String, _ file: (text: String, fault: String)) async throws {
        try await withConfiguration(file.text) { path in
            let (status, lines) = try await Program.settings2mqtt.run([command, "-c", path])
            #expect(status == 2)
            #expect(lines == ["\(path):\(file.fault)"])
        }
    }

    @Test(
        "O20: a trailing comma, and a byte order mark with CRLF, are no faults",
        arguments: ["{ \"accessories\": [], }", "\u{FEFF}{\r\n  \"accessories\": []\r\n}\r\n"])
    func harmlessSyntax(_ text: String) async throws {
        try await withConfiguration(text) { path in
            let (status, lines) = try await Program.settings2mqtt.run(["check", "-c", path])
            #expect(status == 0)
            #expect(
                lines == [
                    "\(path): no faults; 0 accessories, broker mqtt://localhost:1883, base topic settings2mqtt"
                ])
        }
    }

    @Test("O20: a file that may not be read exits with 2 and the reason", .enabled(if: isInstalled("setpriv")))
    func unreadableFile() async throws {
        try await withConfiguration("{}") { path in
            try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
            // The administrator may read everything, unless told otherwise.
            let process =
                try geteuid() == 0
                ? ChildProcess(
                    "setpriv",
                    ["--bounding-set=-dac_override,-dac_read_search", Program.settings2mqtt.path, "check", "-c", path])
                : Program.settings2mqtt.start(["check", "-c", path])
            #expect(try await process.end() == 2)
            #expect(process.lines == ["\(path): can't be read: Permission denied"])
        }
    }

    @Test func `a file that is not there exits with 2`() async throws {
        let (status, lines) = try await Program.settings2mqtt.run(["run", "-c", "/nowhere/x.json"])
        #expect(status == 2)
        #expect(lines == ["/nowhere/x.json: can't be read: No such file or directory"])
    }

    @Test(.enabled(if: !FileManager.default.fileExists(atPath: "/etc/settings2mqtt/settings2mqtt.json")))
    func `without a file both usual places are named`() async throws {
        try await withFolder { folder in
            let (status, lines) = try await Program.settings2mqtt.run(["run"], in: folder)
            #expect(status == 2)
            #expect(
                lines.first == "settings2mqtt: there is no configuration: neither settings2mqtt.json nor "
                    + "/etc/settings2mqtt/settings2mqtt.json exists; name one with -c FILE")
        }
    }

    @Test func `without -c the file in the current folder is used`() async throws {
        try await withFolder { folder in
            try Data("{}".utf8).write(to: folder.appending(path: "settings2mqtt.json"))
            let (status, lines) = try await Program.settings2mqtt.run(["check"], in: folder)
            #expect(status == 0)
            #expect(lines.first?.hasPrefix("settings2mqtt.json: no faults") == true)
        }
    }

    @Test func `every fault has a line of its own`() async throws {
        let text = #"""
            {
              "refresh_intervall": 5,
              "accessories": [
                { "id": "a" },
                { "id": "b", "provider": { "type": "simulatd" } }
              ]
            }
            """#
        try await withConfiguration(text) { path in
            let (status, lines) = try await Program.settings2mqtt.run(["check", "-c", path])
            #expect(status == 2)
            // Which types there are is not this test's subject.
            let sentences = lines.map { $0.replacing(#/must be one of [^']*, found/#, with: "must be one of …, found") }
            #expect(
                sentences == [
                    "\(path):2:3: unknown key 'refresh_intervall'; did you mean 'refresh_interval'?",
                    "\(path):4:5: accessories[0].provider: is missing; it says how the accessory is reached",
                    "\(path):5:40: accessories[1].provider.type: must be one of …, found 'simulatd'; "
                        + "did you mean 'simulated'?",
                ])
        }
    }
}
