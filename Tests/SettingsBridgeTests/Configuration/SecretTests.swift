import Foundation
import MQTT
import Testing

@testable import SettingsBridge

@Suite("Secrets of the configuration")
struct SecretTests {
    private let secret = "S3cret-Pa55-42"

    private func password(
        _ text: String, environment: [String: String] = [:], file: String = "f"
    ) throws -> String? {
        try parsedConfiguration("{ mqtt: { user: 'u', password: \(text) } }", environment: environment, file: file)
            .mqtt.password?.reveal { $0 }
    }

    @Test func fromTextVariableAndFile() throws {
        #expect(try password("'\(secret)'") == secret)
        #expect(try password("{ env: 'BROKER_PASSWORD' }", environment: ["BROKER_PASSWORD": secret]) == secret)
        try withTemporaryFolder { folder in
            for (end, kept) in [("", ""), ("\n", ""), ("\r\n", ""), ("\n\n", "\n"), (" ", " ")] {
                try writeFile((secret + end).utf8, to: "\(folder)/password")
                #expect(try password("{ file: 'password' }", file: "\(folder)/f") == secret + kept)
                #expect(try password("{ file: '\(folder)/password' }") == secret + kept)
            }
        }
    }

    @Test(arguments: [
        ("''", "must not be empty; leave the key out instead"),
        ("{ env: 'NONE' }", "the environment variable NONE is not set"),
        ("{ env: 'EMPTY' }", "the environment variable EMPTY is empty"),
        ("{ env: 'A B' }", "'env' must be the name of an environment variable: letters, digits and _"),
        ("{ file: '' }", "'file' must be the path of a file"),
        ("{ file: '/none/password' }", "/none/password can't be read: No such file or directory"),
        ("{ file: '/' }", "/ can't be read: Is a directory"),
        ("{ env: 'A', file: 'b' }", "must be a string, { \"env\": NAME } or { \"file\": PATH }"),
        ("{ env: 5 }", "must be a string, { \"env\": NAME } or { \"file\": PATH }"),
        ("{}", "must be a string, { \"env\": NAME } or { \"file\": PATH }"),
        ("5", "must be a string, { \"env\": NAME } or { \"file\": PATH }"),
        ("'a\\0'", "must not contain the character U+0000"),
    ])
    func faultSentences(text: String, message: String) {
        #expect(
            configurationFaults("{ mqtt: { user: 'u', password: \(text) } }", environment: ["EMPTY": ""])
                == ["settings2mqtt.json:1:32: mqtt.password: \(message)"])
    }

    @Test(
        "O10: no fault holds the text of a secret",
        arguments: [
            "{ mqtt: { password: S3cret-Pa55-42 } }",
            "{ mqtt: { password: “S3cret-Pa55-42” } }",
            "{ mqtt: { password: \"S3cret-Pa55-42 } }",
            "{ mqtt: { password: 'S3cret-'Pa55-42' } }",
            "{ mqtt: { password: 'S3cret-Pa55-42' } }",
            "{ mqtt: { password: 'S3cret-Pa55-42' 'b' } }",
            "{ mqtt: { passwort: 'S3cret-Pa55-42' } }",
            "{ mqtt: { password: ['S3cret-Pa55-42'] } }",
            "{ mqtt: { password: { 'S3cret-Pa55-42': 1 } } }",
            "{ mqtt: { password: { text: 'S3cret-Pa55-42' } } }",
            "{ mqtt: { user: 'u', password: { env: 'S3cret-Pa55-42' } } }",
            "{ mqtt: { password: { env: ['S3cret-Pa55-42'] } } }",
            "{ mqtt: { user: 'u', password: 'S3cret-Pa55-42\\0' } }",
            "{ mqtt: { server: 'mqtt://u:S3cret-Pa55-42@broker' } }",
            "{ mqtt: { server: 'u:S3cret-Pa55-42@broker' } }",
            "{ mqtt: { user: ['S3cret-Pa55-42'], password: 'S3cret-Pa55-42', password: 'S3cret-Pa55-42' } }",
            "{ mqtt: 'S3cret-Pa55-42' }",
            "{ accessories: [ { id: 'a', provider: { type: 'http', token: ['S3cret-Pa55-42'] } } ] }",
            "{ accessories: [ { id: 'a', provider: { type: 'http', tokn: 'S3cret-Pa55-42' } } ] }",
            "{ accessories: [ { id: 'a', provider: { type: 'http', headers: { Authorization: { a: 'S3cret-Pa55-42' } } } } ] }",
        ])
    func noFaultHoldsASecret(text: String) {
        let found = configurationFaults(text)
        #expect(!found.isEmpty)
        #expect(!found.joined().contains("S3cret"), "\(found)")
    }

    @Test("O10: a secret is in no print of the configuration and not in its summary")
    func noPrintHoldsASecret() throws {
        let configuration = try parsedConfiguration(
            """
            { mqtt: { user: 'u', password: '\(secret)' },
              accessories: [ { id: 'a', provider: { type: 'http', token: '\(secret)' } } ] }
            """)
        var printed = ""
        dump(configuration, to: &printed)
        printed += "\(configuration) \(String(reflecting: configuration))"
        let summary = String(decoding: try JSONEncoder().encode(configuration.summary()), as: UTF8.self)
        #expect(!(printed + summary).contains("S3cret"))
        #expect(!summary.contains("provider"))
    }

    @Test func summary() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let summary = try parsedConfiguration(SampleConfiguration.complete, environment: ["MQTT_PASSWORD": secret])
            .summary()
        #expect(
            String(decoding: try encoder.encode(summary), as: UTF8.self) == """
                {"accessories":1,"health_interval":60,"home_assistant":{"discovery_topic":"homeassistant",\
                "enabled":true,"status_topic":"homeassistant/status"},"log_level":"info","mqtt":{"base_topic":\
                "settings2mqtt","client_id":"settings2mqtt","has_user":true,"keepalive":60,"server":\
                "mqtt://localhost:1883","session_expiry":60,"version":"auto"},"offline_after":2,\
                "refresh_interval":60,"timeout":10}
                """)
    }
}
