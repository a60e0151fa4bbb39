import MQTT
import Testing

@testable import SettingsBridge

@Suite("Environment overrides")
struct EnvironmentOverrideTests {
    @Test func everyKindOfScalar() throws {
        let configuration = try parsedConfiguration(
            "{ mqtt: { server: 5, base_topic: 'file' }, log: { level: 'debug' } }",
            environment: [
                "SETTINGS2MQTT_MQTT_SERVER": "mqtts://broker", "SETTINGS2MQTT_MQTT_KEEPALIVE": "30",
                "SETTINGS2MQTT_MQTT_USER": "u", "SETTINGS2MQTT_MQTT_PASSWORD": "p", "SETTINGS2MQTT_MQTT_VERSION": "5",
                "SETTINGS2MQTT_MQTT_REJECT_UNAUTHORIZED": "No", "SETTINGS2MQTT_REFRESH_INTERVAL": "1.5",
                "SETTINGS2MQTT_TIMEOUT": "3s", "SETTINGS2MQTT_OFFLINE_AFTER": "7",
                "SETTINGS2MQTT_HOME_ASSISTANT_ENABLED": "0", "SETTINGS2MQTT_LOG_LEVEL": "warning",
                "SETTINGS2MQTT_MQTT_BASE_TOPIC": "", "PATH": "/bin",
            ])
        #expect(configuration.mqtt.server == ServerAddress(isTLS: true, host: "broker", port: 8883))
        #expect(configuration.mqtt.keepalive == 30)
        #expect(configuration.mqtt.user == "u")
        #expect(configuration.mqtt.password?.reveal { $0 } == "p")
        #expect(configuration.mqtt.version == .v5)
        #expect(!configuration.mqtt.rejectUnauthorized)
        #expect(configuration.refreshInterval == .milliseconds(1500))
        #expect(configuration.timeout == .seconds(3))
        #expect(configuration.offlineAfter == 7)
        #expect(!configuration.homeAssistant.isEnabled)
        #expect(configuration.log.level == .warning)
        #expect(configuration.mqtt.baseTopic == "file", "an empty variable says nothing")
        #expect(configuration.warnings.isEmpty)
    }

    @Test func whatCannotBeUnderstoodIsAFaultThatNamesTheVariable() {
        let environment = [
            "SETTINGS2MQTT_MQTT_SERVER": "broker", "SETTINGS2MQTT_OFFLINE_AFTER": "0x2", "SETTINGS2MQTT_TIMEOUT": "11m",
            "SETTINGS2MQTT_LOG_FORMAT": "xml", "SETTINGS2MQTT_HOME_ASSISTANT_ENABLED": "maybe",
        ]
        #expect(
            Set(configurationFaults("{}", environment: environment)) == [
                "environment variable SETTINGS2MQTT_MQTT_SERVER: mqtt.server: must begin with mqtt:// or mqtts://, "
                    + "as in mqtt://localhost:1883",
                "environment variable SETTINGS2MQTT_OFFLINE_AFTER: offline_after: must be a whole number from 1 to "
                    + "1000, found something else",
                "environment variable SETTINGS2MQTT_TIMEOUT: timeout: must be 1ms to 10m, found '11m'",
                "environment variable SETTINGS2MQTT_LOG_FORMAT: log.format: must be one of text, json, found 'xml'",
                "environment variable SETTINGS2MQTT_HOME_ASSISTANT_ENABLED: home_assistant.enabled: must be true or "
                    + "false",
            ])
    }

    @Test func unknownVariablesAreOnlyWarnedOf() throws {
        let configuration = try parsedConfiguration(
            "{ mqtt: { user: 'u', password: { env: 'SETTINGS2MQTT_SECRET' } } }",
            environment: [
                "SETTINGS2MQTT_MQTT_SERVR": "x", "SETTINGS2MQTT_ACCESSORIES": "[]", "SETTINGS2MQTT_SECRET": "p",
            ])
        #expect(
            configuration.warnings == [
                "environment variable SETTINGS2MQTT_ACCESSORIES is ignored: it overrides no key",
                "environment variable SETTINGS2MQTT_MQTT_SERVR is ignored: it overrides no key; did you mean "
                    + "SETTINGS2MQTT_MQTT_SERVER?",
            ])
    }
}
