import AccessorySettings
import SettingsBridge
import Testing

@MainActor @Suite("Configuration of devices on MQTT") struct MQTTFactoryTests {
    private func faults(
        state: String = #""topic": "d/x""#, command: String = #""topic": "d/x/set""#, more: String = "",
        top: String = ""
    ) -> [String] {
        ConfiguredDevice.faults(
            """
            { "type": "mqtt", \(more) "settings": {
                "x": { "kind": "text", "state": { \(state) }, "command": { \(command) } } } }
            """, top: top)
    }

    @Test func theLeastIsStateAndCommand() {
        #expect(faults() == [])
        let information =
            #"{ "type": "mqtt", "settings": { "x": { "kind": "information", "state": { "topic": "d" } } } }"#
        #expect(ConfiguredDevice.faults(information) == [])
        let secret =
            #"{ "type": "mqtt", "settings": { "x": { "kind": "text", "secret": true, "command": { "topic": "d" } } } }"#
        #expect(ConfiguredDevice.faults(secret) == [])
    }

    @Test func whatFollowsFromAFaultIsNone() {
        #expect(
            ConfiguredDevice.faults(#"{ "type": "mqtt", "settings": { "x": { "kind": "toggle" } } }"#) == [
                ".settings.x.state: is missing", ".settings.x.command: is missing",
            ])
        let secret = #"{ "kind": "text", "secret": "yes", "command": { "topic": "d" } }"#
        #expect(
            ConfiguredDevice.faults(#"{ "type": "mqtt", "settings": { "x": \#(secret) } }"#) == [
                ".settings.x.secret: must be true or false, found a string"
            ])
    }

    @Test(arguments: [
        ("home/bridge", "home/bridge/desk/x"), ("home/bridge", "home/bridge"),
        ("settings2mqtt", "settings2mqtt/bridge/request/refresh"),
    ])
    func topicsOfTheBridgeItselfAreRefused(_ base: String, _ topic: String) {
        let message = "must not lie below mqtt.base_topic (\(base)): the bridge would talk to itself"
        let top = #""mqtt": { "base_topic": "\#(base)" },"#
        #expect(faults(command: #""topic": "\#(topic)""#, top: top) == [".settings.x.command.topic: \(message)"])
        #expect(faults(state: #""topic": "\#(topic)""#, top: top) == [".settings.x.state.topic: \(message)"])
        #expect(faults(more: #""request": { "topic": "\#(topic)" },"#, top: top) == [".request.topic: \(message)"])
        #expect(faults(command: #""topic": "home/bridge2/x""#, top: top) == [])
    }

    @Test(arguments: [
        (#""topic": "d/+/x""#, ".settings.x.command.topic: must not contain the wildcards + and #"),
        (#""topic": "d/{{value}}""#, ".settings.x.command.topic: must be fixed text: a value never gets into a topic"),
        (
            #""topic": "$SYS/x""#,
            ".settings.x.command.topic: must not begin with $, which is for the broker's own topics"
        ),
        (
            #""topic": "d", "payload": "set {{value}}""#,
            #".settings.x.command.payload: must be "{{value}}" or a JSON structure that holds "{{value}}" as a string"#
        ),
        (#""topic": "d", "payload": {}"#, #".settings.x.command.payload: must hold "{{value}}" as a string"#),
        (
            #""topic": "d", "payload": ["{{value}}", "a {{value}}"]"#,
            #".settings.x.command.payload: takes "{{value}}" and "{{transaction}}" as whole strings, with nothing beside them"#
        ),
        (
            #""topic": "d", "payload": ["{{value}}", "{{transaction}}"]"#,
            #".settings.x.command.payload: holds "{{transaction}}", but no 'response' tells where it comes back"#
        ),
        (
            #""topic": "d", "response": { "topic": "e", "transaction": "/id" }"#,
            #".settings.x.command.payload: must hold "{{transaction}}", since 'response' tells where it comes back"#
        ),
        (#""topic": "d", "qos": 3"#, ".settings.x.command.qos: must be a whole number from 0 to 2, found 3"),
    ])
    func commandsThatCanNotWorkAreRefused(_ command: String, _ fault: String) {
        #expect(faults(command: command) == [fault])
    }

    @Test func theBrokersKeysNeedAServer() {
        #expect(
            faults(more: #""user": "u", "password": "secret", "#) == [
                ".user: needs 'server'; without it everything is as in the bridge's own 'mqtt' section",
                ".password: needs 'server'; without it everything is as in the bridge's own 'mqtt' section",
            ])
        #expect(faults(more: #""server": "mqtt://other", "user": "u", "password": "p","#) == [])
        #expect(
            faults(more: #""availability": { "topic": "a", "payload_online": "offline" },"#) == [
                ".availability.payload_offline: must differ from 'payload_online'"
            ])
    }

    @Test func anAccessoryDiffersWhenTheBridgesBrokerDoes() throws {
        func accessory(_ provider: String, _ server: String) throws -> AccessoryConfiguration {
            try ConfiguredDevice.parse(provider, top: #""mqtt": { "server": "\#(server)" },"#).accessories[0]
        }
        let device = #"{ "type": "mqtt", "settings": { "x": { "kind": "information", "state": { "topic": "d" } } } }"#
        #expect(try accessory(device, "mqtt://one") == accessory(device, "mqtt://one"))
        #expect(try accessory(device, "mqtt://one") != accessory(device, "mqtt://two"))
        let lamp = #"{ "type": "simulated", "model": "lamp" }"#
        #expect(try accessory(lamp, "mqtt://one") == accessory(lamp, "mqtt://two"))
    }
}
