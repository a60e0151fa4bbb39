import Foundation
import MQTT
import Testing

@testable import SettingsBridge

@Suite("MQTT section")
struct MQTTSettingsTests {
    @Test(arguments: [
        ("mqtt://localhost:1883", ServerAddress(isTLS: false, host: "localhost", port: 1883)),
        ("mqtt://broker", ServerAddress(isTLS: false, host: "broker", port: 1883)),
        ("mqtts://broker.example", ServerAddress(isTLS: true, host: "broker.example", port: 8883)),
        ("tcp://10.0.0.1:65535/", ServerAddress(isTLS: false, host: "10.0.0.1", port: 65_535)),
        ("SSL://my_broker-1:1", ServerAddress(isTLS: true, host: "my_broker-1", port: 1)),
        ("mqtt://[::1]", ServerAddress(isTLS: false, host: "::1", port: 1883)),
        ("mqtts://[fe80::1%eth0]:8884", ServerAddress(isTLS: true, host: "fe80::1%eth0", port: 8884)),
        ("mqtt://bröker.example", ServerAddress(isTLS: false, host: "bröker.example", port: 1883)),
    ])
    func servers(text: String, address: ServerAddress) throws {
        #expect(try parsedConfiguration("{ mqtt: { server: '\(text)' } }").mqtt.server == address)
    }

    @Test func addressesArePrintedAsTheyAreWritten() {
        #expect(ServerAddress(isTLS: true, host: "::1", port: 8883).description == "mqtts://[::1]:8883")
        #expect(ServerAddress(isTLS: false, host: "broker", port: 1883).description == "mqtt://broker:1883")
    }

    @Test(arguments: [
        ("localhost:1883", "must begin with mqtt:// or mqtts://, as in mqtt://localhost:1883"),
        ("http://broker", "must begin with mqtt:// or mqtts://, as in mqtt://localhost:1883"),
        ("wss://broker", "WebSockets are not supported; use the broker's mqtt:// or mqtts:// port"),
        ("mqtt://me:word@broker", "must not contain a user or a password; they belong to 'user' and 'password'"),
        ("mqtt://broker/topic", "must end after the port; MQTT has no paths"),
        ("mqtt://broker?x=1", "must end after the port; MQTT has no paths"),
        ("mqtt://", "the host is missing, as in mqtt://localhost:1883"),
        ("mqtt://:1883", "the host is missing, as in mqtt://localhost:1883"),
        ("mqtt://a b", "the host must be a name or an address, without blanks and special characters"),
        ("mqtt://broker:0", "the port must be a number from 1 to 65535"),
        ("mqtt://broker:65536", "the port must be a number from 1 to 65535"),
        ("mqtt://broker:", "the port must be a number from 1 to 65535"),
        ("mqtt://broker:+5", "the port must be a number from 1 to 65535"),
        ("mqtt://::1:1883", "an IPv6 address must stand in brackets, as in mqtt://[::1]:1883"),
        ("mqtt://[::1", "the ] behind the IPv6 address is missing"),
        ("mqtt://[::g]", "what stands in brackets must be an IPv6 address"),
        ("mqtt://[::1]1883", "only a port may follow the IPv6 address, as in mqtt://[::1]:1883"),
    ])
    func serverFaults(text: String, message: String) {
        #expect(
            configurationFaults("{ mqtt: { server: '\(text)' } }") == [
                "settings2mqtt.json:1:19: mqtt.server: \(message)"
            ])
    }

    @Test(arguments: [
        ("'auto'", MQTTSettings.Version.automatic), ("'5'", .v5), ("5", .v5), ("'3.1.1'", .v311), ("4", .v311),
        ("'4'", .v311),
    ])
    func versions(text: String, version: MQTTSettings.Version) throws {
        #expect(try parsedConfiguration("{ mqtt: { version: \(text) } }").mqtt.version == version)
    }

    @Test(arguments: ["3", "'3.1'", "3.1", "'v5'"])
    func versionFaults(text: String) {
        #expect(
            configurationFaults("{ mqtt: { version: \(text) } }").first?.hasPrefix(
                "settings2mqtt.json:1:20: mqtt.version: must be one of auto, 5, 3.1.1, 4, found '") == true)
    }

    @Test(
        "O35: slashes at the ends of the base topic are dropped with a note",
        arguments: [
            "house/bridge/", "/house/bridge", "//house/bridge//",
        ])
    func outerSlashes(text: String) throws {
        let configuration = try parsedConfiguration("{ mqtt: { base_topic: '\(text)' } }")
        #expect(configuration.mqtt.baseTopic == "house/bridge")
        #expect(
            configuration.warnings
                == ["mqtt.base_topic: '\(text)' is used without its outer slashes: 'house/bridge'"])
    }

    @Test(
        "O35: a base topic with an empty level and other impossible ones are refused",
        arguments: [
            ("house//bridge", "must not have an empty level (//)"),
            ("/", "must not be empty"),
            ("house/+/bridge", "must not contain the wildcards + and #"),
            ("#", "must not contain the wildcards + and #"),
            ("$SYS/bridge", "must not begin with $, which is for the broker's own topics"),
            ("/$SYS/bridge", "must not begin with $, which is for the broker's own topics"),
            ("a\\u0000b", "must not contain the control character U+0000"),
            ("a\\tb", "must not contain the control character U+0009"),
            ("a\\uFFFEb", "must not contain the character U+FFFE"),
            (String(repeating: "é", count: 513), "must not be longer than 1024 bytes"),
        ])
    func impossibleTopics(text: String, message: String) {
        let path = "settings2mqtt.json:1:23: mqtt.base_topic: "
        #expect(configurationFaults("{ mqtt: { base_topic: '\(text)' } }") == [path + message])
    }

    @Test(arguments: ["homeassistant", "homeassistant/x", "/homeassistant/"])
    func baseTopicInsideTheDiscoveryPrefix(text: String) throws {
        #expect(
            configurationFaults("{ mqtt: { base_topic: '\(text)' } }") == [
                "settings2mqtt.json:1:23: mqtt.base_topic: must not be the same as home_assistant.discovery_topic "
                    + "(homeassistant), nor lie below it or above it"
            ])
        let off = "{ mqtt: { base_topic: '\(text)' }, home_assistant: { enabled: false } }"
        #expect(configurationFaults(off).isEmpty)
    }

    @Test func homeAssistantsTopicsBelowTheBaseTopic() throws {
        #expect(
            configurationFaults("{\n mqtt: { base_topic: 'a' },\n home_assistant: { discovery_topic: 'a/b' } }") == [
                "settings2mqtt.json:2:22: mqtt.base_topic: must not be the same as home_assistant.discovery_topic "
                    + "(a/b), nor lie below it or above it"
            ])
        #expect(
            configurationFaults("{\n mqtt: { base_topic: 'a' },\n home_assistant: { status_topic: 'a/status' } }") == [
                "settings2mqtt.json:3:34: home_assistant.status_topic: must not be the same as mqtt.base_topic (a), "
                    + "nor lie below it or above it"
            ])
        #expect(
            try parsedConfiguration("{ mqtt: { base_topic: 'homeassistant2' } }").mqtt.baseTopic == "homeassistant2")
    }

    @Test func clientIdentifiers() throws {
        #expect(try parsedConfiguration("{ mqtt: { client_id: 'a b/é' } }").mqtt.clientID == "a b/é")
        #expect(
            configurationFaults("{ mqtt: { client_id: '' } }")
                == ["settings2mqtt.json:1:22: mqtt.client_id: must not be empty; leave the key out instead"])
        #expect(
            configurationFaults("{ mqtt: { client_id: '\(String(repeating: "a", count: 65_530))' } }")
                == ["settings2mqtt.json:1:22: mqtt.client_id: must not be longer than 65529 bytes"])
        #expect(
            configurationFaults("{ mqtt: { client_id: 'a\\u007f' } }")
                == ["settings2mqtt.json:1:22: mqtt.client_id: must not contain the control character U+007F"])
    }

    @Test(arguments: [("0", 0), ("5", 5), ("65535", 65_535), ("'1m'", 60)])
    func keepalive(text: String, seconds: Int) throws {
        #expect(try parsedConfiguration("{ mqtt: { keepalive: \(text) } }").mqtt.keepalive == seconds)
    }

    @Test(arguments: ["4", "65536", "5.5", "-1", "'500ms'"])
    func keepaliveFaults(text: String) {
        let found = configurationFaults("{ mqtt: { keepalive: \(text) } }")
        #expect(found.count == 1)
        #expect(
            found.first?.hasPrefix(
                "settings2mqtt.json:1:22: mqtt.keepalive: must be 0 or 5s to 65535s in whole seconds, found ") == true)
    }

    @Test func certificates() throws {
        try withTemporaryFolder { folder in
            for name in ["ca.pem", "cert.pem", "key.pem"] { try writeFile([0x0A], to: "\(folder)/\(name)") }
            let file = "\(folder)/settings2mqtt.json"
            let settings = try parsedConfiguration(
                "{ mqtt: { server: 'mqtts://b', ca: 'ca.pem', cert: '\(folder)/cert.pem', key: '~/key.pem' } }",
                environment: ["HOME": folder], file: file
            ).mqtt
            #expect(settings.ca == "\(folder)/ca.pem")
            #expect(settings.cert == "\(folder)/cert.pem")
            #expect(settings.key == "\(folder)/key.pem")
            #expect(
                configurationFaults("{ mqtt: { server: 'mqtts://b', cert: 'cert.pem' } }", file: file)
                    == ["\(file):1:38: mqtt.cert: needs 'key', the certificate's private key"])
            #expect(
                configurationFaults("{ mqtt: { server: 'mqtts://b', key: 'key.pem' } }", file: file)
                    == ["\(file):1:37: mqtt.key: needs 'cert', the key's certificate"])
            #expect(
                configurationFaults("{ mqtt: { ca: 'ca.pem', server_name: 'b' } }", file: file) == [
                    "\(file):1:15: mqtt.ca: needs a server that begins with mqtts://",
                    "\(file):1:38: mqtt.server_name: needs a server that begins with mqtts://",
                ])
            #expect(
                configurationFaults("{ mqtt: { server: 'mqtts://b', ca: 'none.pem' } }", file: file)
                    == ["\(file):1:36: mqtt.ca: \(folder)/none.pem can't be read: No such file or directory"])
            #expect(
                configurationFaults("{ mqtt: { ca: 'none.pem' } }", file: file)
                    == ["\(file):1:15: mqtt.ca: needs a server that begins with mqtts://"])
            #expect(
                configurationFaults("{ mqtt: { server: 'mqtts://b', ca: '.' } }", file: file)
                    == ["\(file):1:36: mqtt.ca: \(folder)/. can't be read: Is a directory"])
        }
    }

    @Test func aPasswordNeedsAUser() throws {
        #expect(
            configurationFaults("{ mqtt: { password: 'p' } }") == [
                "settings2mqtt.json:1:21: mqtt.password: needs 'user': only MQTT 5 (\"version\": \"5\") knows a "
                    + "password alone"
            ])
        #expect(try parsedConfiguration("{ mqtt: { password: 'p', version: 5 } }").mqtt.user == nil)
        #expect(try parsedConfiguration("{ mqtt: { user: 'u' } }").mqtt.password == nil)
    }
}
