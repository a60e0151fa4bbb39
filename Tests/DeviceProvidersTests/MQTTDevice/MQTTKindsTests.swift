import AccessorySettings
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import SettingsBridge

/// Devices as they are met: each with its own way to ask, to command and to report.
@MainActor @Suite("Devices on MQTT of several makes", .broker, .enabled(if: Broker.isAvailable))
struct MQTTKindsTests {
    let broker: Broker

    init() throws { broker = try #require(Broker.ofSuite) }

    @Test func tasmota() async throws {
        let name = ownTopic()
        let state = Mutex(["PowerOnState": "3", "LedState": "1"])
        let standIn = try await StandIn(hearing: ["cmnd/\(name)/+"], on: broker) { message in
            let command = message.topic.split(separator: "/").last.map(String.init) ?? ""
            func result(_ key: String) -> StandIn.Reply {
                let value = state.withLock { $0[key] } ?? "null"
                return StandIn.Reply(topic: "stat/\(name)/RESULT", payload: #"{"\#(key)":\#(value)}"#)
            }
            if command == "Backlog" { return [result("PowerOnState"), result("LedState")] }
            state.withLock { $0[command] = message.text }
            return [result(command)]
        }
        try await broker.publish(topic: "tele/\(name)/LWT", payload: "Online", retain: true)
        let provider = """
            { "type": "mqtt",
              "availability": { "topic": "tele/\(name)/LWT", "payload_online": "Online", "payload_offline": "Offline" },
              "request": { "topic": "cmnd/\(name)/Backlog", "payload": "PowerOnState; LedState" },
              "confirm": { "within": "5s", "every": "20ms" },
              "settings": {
                "power_on": { "kind": "enumeration",
                  "options": [ { "value": "off", "code": 0 }, { "value": "on", "code": 1 }, { "value": "last", "code": 3 } ],
                  "state": { "topic": "stat/\(name)/RESULT", "pointer": "/PowerOnState", "partial": true },
                  "command": { "topic": "cmnd/\(name)/PowerOnState" } },
                "led": { "kind": "toggle", "on": 1, "off": 0,
                  "state": { "topic": "stat/\(name)/RESULT", "pointer": "/LedState", "partial": true },
                  "command": { "topic": "cmnd/\(name)/LedState" } } } }
            """
        let device = try ConfiguredDevice(provider, top: broker.asBridges)
        #expect(try await device.read() == ["power_on": .option("last"), "led": .toggle(true)])
        try await device.write(["power_on": .option("off"), "led": .toggle(false)])
        #expect(state.withLock { $0 } == ["PowerOnState": "0", "LedState": "0"])
        #expect(try await device.read() == ["power_on": .option("off"), "led": .toggle(false)])

        let changes = ChangeCounter(try device.changes())
        let before = changes.count
        try await broker.publish(topic: "tele/\(name)/LWT", payload: "Offline", retain: true)
        try await waitUntil("the news that it is offline") { changes.count > before }
        let sentence = await ConfiguredDevice.sentence { _ = try await device.read() }
        #expect(sentence == "the device is offline: 'tele/\(name)/LWT' says Offline")
        try await broker.publish(topic: "tele/\(name)/LWT", payload: "Online", retain: true)
        try await waitUntil("the device to be back") { (try? await device.read()) != nil }
        withExtendedLifetime(standIn) {}
    }

    @Test func zigbee2mqttDeviceOptions() async throws {
        let base = ownTopic()
        let standIn = try await StandIn(hearing: ["\(base)/bridge/request/device/options"], on: broker) { message in
            let topic = "\(base)/bridge/response/device/options"
            guard case .object(let request) = try? JSONValue.parse(message.payload),
                case .object(let options) = request["options"], let transaction = request["transaction"]?.integer,
                let transition = options["transition"]?.integer
            else { return [StandIn.Reply(topic: topic, payload: #"{"status":"error","error":"bad request"}"#)] }
            guard transition < 10 else {
                return [
                    StandIn.Reply(topic: topic, payload: #"{"status":"ok","transaction":0}"#),
                    StandIn.Reply(
                        topic: topic,
                        payload: #"{"data":{},"status":"error","error":"too slow","transaction":\#(transaction)}"#),
                ]
            }
            return [
                StandIn.Reply(
                    topic: "\(base)/bridge/info",
                    payload: #"{"config":{"devices":{"0x01":{"transition":\#(transition)}}}}"#, isRetained: true),
                StandIn.Reply(topic: topic, payload: #"{"data":{},"status":"ok","transaction":\#(transaction)}"#),
            ]
        }
        try await broker.publish(
            topic: "\(base)/bridge/info", payload: #"{"config":{"devices":{"0x01":{"transition":2}}}}"#, retain: true)
        let provider = """
            { "type": "mqtt", "availability": { "topic": "\(base)/bridge/state", "pointer": "/state" },
              "settings": { "transition": { "kind": "range", "integer": true, "min": 0, "max": 60, "unit": "s",
                "state": { "topic": "\(base)/bridge/info", "pointer": "/config/devices/0x01/transition" },
                "command": {
                  "topic": "\(base)/bridge/request/device/options",
                  "payload": { "id": "0x01", "options": { "transition": "{{value}}" }, "transaction": "{{transaction}}" },
                  "response": { "topic": "\(base)/bridge/response/device/options", "transaction": "/transaction",
                                "error": "/error" } } } } }
            """
        let device = try ConfiguredDevice(provider, top: broker.asBridges)
        #expect(try await device.read() == ["transition": .number(2)])
        try await device.write(["transition": .number(5)])
        #expect(try await device.read() == ["transition": .number(5)])
        let sentence = await ConfiguredDevice.sentence { try await device.write(["transition": .number(30)]) }
        #expect(sentence == "the device refused transition on '\(base)/bridge/request/device/options': too slow")
        #expect(try await device.read() == ["transition": .number(5)])
        withExtendedLifetime(standIn) {}
    }

    @Test func shellyGeneration2() async throws {
        let name = ownTopic()
        let autoOff = Mutex("60.0")
        let standIn = try await StandIn(hearing: ["\(name)/rpc"], on: broker) { message in
            guard case .object(let request) = try? JSONValue.parse(message.payload), let id = request["id"]?.integer,
                let source = request["src"]?.text
            else { return [] }
            func answer(_ content: String) -> [StandIn.Reply] {
                [StandIn.Reply(topic: "\(source)/rpc", payload: #"{"id":\#(id),"src":"\#(name)",\#(content)}"#)]
            }
            if request["method"] == .string("Shelly.GetConfig") {
                return answer(#""result":{"switch:0":{"auto_off_delay":\#(autoOff.withLock { $0 }),"name":null}}"#)
            }
            guard case .object(let parameters) = request["params"], case .object(let config) = parameters["config"],
                let delay = config["auto_off_delay"]?.text, Double(delay) ?? 0 > 0
            else { return answer(#""error":{"code":-103,"message":"Argument 'auto_off_delay' is invalid"}"#) }
            autoOff.withLock { $0 = delay }
            return answer(#""result":{"restart_required":false}"#)
        }
        try await broker.publish(topic: "\(name)/online", payload: "true", retain: true)
        let provider = """
            { "type": "mqtt",
              "availability": { "topic": "\(name)/online", "payload_online": "true", "payload_offline": "false" },
              "request": { "topic": "\(name)/rpc",
                           "payload": { "id": 0, "src": "\(name)-us", "method": "Shelly.GetConfig" } },
              "settings": { "auto_off": { "kind": "range", "unit": "s",
                "state": { "topic": "\(name)-us/rpc", "pointer": "/result/switch:0/auto_off_delay", "partial": true },
                "command": {
                  "topic": "\(name)/rpc",
                  "payload": { "id": "{{transaction}}", "src": "\(name)-us", "method": "Switch.SetConfig",
                               "params": { "id": 0, "config": { "auto_off_delay": "{{value}}" } } },
                  "response": { "topic": "\(name)-us/rpc", "transaction": "/id", "error": "/error/message" } } } } }
            """
        let device = try ConfiguredDevice(provider, top: broker.asBridges)
        #expect(try await device.read() == ["auto_off": .number(60)])
        try await device.write(["auto_off": .number(2.5)])
        #expect(try await device.read() == ["auto_off": .number(2.5)])
        let sentence = await ConfiguredDevice.sentence { try await device.write(["auto_off": .number(0)]) }
        #expect(
            sentence == "the device refused auto_off on '\(name)/rpc': Argument 'auto_off_delay' is invalid")
        withExtendedLifetime(standIn) {}
    }
}

extension JSONValue {
    var integer: Int64? { if case .integer(let integer) = self { integer } else { nil } }
    var text: String? { if case .string(let text) = self { text } else { integer.map { String($0) } ?? number } }
    private var number: String? { if case .number(let number) = self { "\(number)" } else { nil } }
}
