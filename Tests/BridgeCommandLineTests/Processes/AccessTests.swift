import Foundation
import TestSupport
import Testing

/// Brokers that want a password, have access control, or speak TLS.
@Suite(.timeLimit(.minutes(2)), .enabled(if: Broker.isAvailable)) struct AccessTests {
    /// Accounts `anna` and `bert` with the password in the file `right`; another one is in `wrong`.
    private static func makeAccounts(_ directory: URL) async throws {
        let passwords = directory.appending(path: "passwords")
        for (flags, user) in [(["-b", "-c"], "anna"), (["-b"], "bert")] {
            try await run("mosquitto_passwd", flags + [passwords.path, user, "Right-42"])
        }
        for (name, text) in [("right", "Right-42\n"), ("wrong", "Wrong-42\n")] {
            try Data(text.utf8).write(to: directory.appending(path: name))
        }
    }

    @Test(arguments: ["auto", "3.1.1"])
    func `a wrong password is 3, a right one in a file is good`(_ version: String) async throws {
        let configuration = "password_file {directory}/passwords"
        func prepare(_ directory: URL) async throws { try await Self.makeAccounts(directory) }
        try await withBroker(configuration: configuration, allowAnonymous: false, prepare: prepare) { broker in
            try await withConfiguration(thermostat(port: broker.port, mqtt: #""version": "\#(version)","#)) { path in
                func check(_ file: String) async throws -> (status: Int32, lines: [String]) {
                    try await Program.settings2mqtt.run(
                        ["healthcheck", "-c", path, "--user", "anna", "--password-file", file], in: broker.directory)
                }
                let wrong = try await check("wrong")
                #expect(wrong.status == 3)
                #expect(wrong.lines.count == 1)
                #expect(wrong.lines.first?.contains("refused user 'anna'") == true)
                #expect(!wrong.lines.joined().contains("Wrong-42"))
                let right = try await check("right")
                #expect(right.status == 3)
                #expect(right.lines.first?.contains("no bridge has said") == true, "it came as far as that")
            }
        }
    }

    @Test(arguments: ["5", "3.1.1"])
    func `access to the bridge's state, requests and responses is enough`(_ version: String) async throws {
        func prepare(_ directory: URL) async throws {
            try await Self.makeAccounts(directory)
            let rules = """
                topic readwrite #
                user anna
                topic read b/bridge/state
                topic read b/bridge/response/#
                topic write b/bridge/request/#
                user bert
                topic read b/bridge/state

                """
            try Data(rules.utf8).write(to: directory.appending(path: "acl"))
        }
        let configuration = "password_file {directory}/passwords\nacl_file {directory}/acl"
        try await withBroker(configuration: configuration, prepare: prepare) { broker in
            try await withRunningBridge(broker, base: "b", version: version) { bridge in
                let password = broker.directory.appending(path: "right").path
                let anna = try await bridge.ask("get", "vent", "offset", "--user", "anna", "--password-file", password)
                #expect(anna == (0, ["3"]))
                let bert = try await bridge.ask(
                    "set", "--user", "bert", "--password-file", password, "--timeout", version == "5" ? "30s" : "5s",
                    "vent", "offset", "5")
                #expect(bert.status == 3)
                // MQTT 3.1.1 has no way to say that a message was not taken.
                let reason =
                    version == "5" ? "the broker did not take the message for b/bridge/request/set" : "within 5 s"
                #expect(bert.lines.first?.contains(reason) == true)
                #expect(try await bridge.ask("get", "vent", "offset") == (0, ["3"]))
            }
        }
    }

    @Test func `a certificate is held against --ca`() async throws {
        func prepare(_ directory: URL) async throws {
            let certificates = try Certificates(in: directory)
            let authority = try await certificates.authority(named: "Test CA")
            let server = try await certificates.server("server", signedBy: authority, names: ["IP:127.0.0.1"])
            for (file, name) in [
                (server.certificate, "server.crt"), (server.key, "server.key"), (authority.certificate, "ca.crt"),
            ] {
                try FileManager.default.copyItem(at: file, to: directory.appending(path: name))
            }
        }
        let configuration = "certfile {directory}/server.crt\nkeyfile {directory}/server.key"
        try await withBroker(configuration: configuration, prepare: prepare) { broker in
            let arguments = ["list", "--server", "mqtts://127.0.0.1:\(broker.port)"]
            let trusted = try await Program.settings2mqtt.run(arguments + ["--ca", "ca.crt"], in: broker.directory)
            #expect(trusted.status == 3)
            #expect(trusted.lines.first?.contains("no bridge has said") == true, "it came as far as that")
            let unknown = try await Program.settings2mqtt.run(arguments)
            #expect(unknown.status == 3)
            #expect(unknown.lines.first?.contains("is not trusted") == true)
        }
    }
}
