import AccessorySettings
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import SettingsBridge

/// The examples of the configuration, with stand-ins for the devices: each has its own way to ask, to command and to report.
@MainActor @Suite("Devices on MQTT of several makes", .broker, .enabled(if: Broker.isAvailable))
struct MQTTKindsTests {
    let broker: Broker
    let name = ownTopic()

    init() throws { broker = try #require(Broker.ofSuite) }

    private func device(_ example: String, _ topic: String, standsFor name: String) throws -> ConfiguredDevice {
        try ConfiguredDevice(
            example: example,
            replacing: ["mqtt://localhost:1883": "mqtt://\(broker.host):\(broker.port)", topic: name])
    }

    @Test func tasmota() async throws {
        let name = name
        let state = Mutex(["PowerOnState": "3", "LedState": "1", "TelePeriod": "300"])
        let standIn = try await StandIn(hearing: ["cmnd/\(name)/+"], on: broker) { message in
            let command = message.topic.split(separator: "/").last.map(String.init) ?? ""
            func result(_ key: some StringProtocol) -> StandIn.Reply {
                let value = state.withLock { $0[String(key)] } ?? "null"
                return StandIn.Reply(topic: "stat/\(name)/RESULT", payload: #"{"\#(key)":\#(value)}"#)
            }
            if command == "Backlog" {
                return message.text.split(separator: ";").map { result($0.trimmingCharacters(in: .whitespaces)) }
            }
            state.withLock { $0[command] = message.text }
            return [result(command)]
        }
        try await broker.publish(topic: "tele/\(name)/LWT", payload: "Online", retain: true)
        let device = try device("tasmota-mqtt", "tasmota_plug", standsFor: name)
        #expect(
            try await device.read() == [
                "power_on_state": .option("last"), "led": .toggle(true), "tele_period": .number(300),
            ])
        try await device.write(["power_on_state": .option("off"), "led": .toggle(false)])
        #expect(state.withLock { $0 } == ["PowerOnState": "0", "LedState": "0", "TelePeriod": "300"])
        #expect(
            try await device.read() == [
                "power_on_state": .option("off"), "led": .toggle(false), "tele_period": .number(300),
            ])

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
        let name = name
        let address = "0x00158d0001a2b3c4"
        let standIn = try await StandIn(hearing: ["\(name)/bridge/request/device/options"], on: broker) { message in
            let topic = "\(name)/bridge/response/device/options"
            guard case .object(let request) = try? JSONValue.parse(message.payload),
                case .object(let options) = request["options"], let transaction = request["transaction"]?.integer,
                let transition = options["transition"]?.integer, request["id"] == .string(address)
            else { return [StandIn.Reply(topic: topic, payload: #"{"status":"error","error":"bad request"}"#)] }
            guard transition < 10 else {
                return [
                    // Somebody else's answer.
                    StandIn.Reply(topic: topic, payload: #"{"status":"ok","transaction":0}"#),
                    StandIn.Reply(
                        topic: topic,
                        payload: #"{"data":{},"status":"error","error":"too slow","transaction":\#(transaction)}"#),
                ]
            }
            return [
                StandIn.Reply(topic: topic, payload: #"{"data":{},"status":"ok","transaction":\#(transaction)}"#),
                StandIn.Reply(
                    topic: "\(name)/bridge/info",
                    payload: #"{"config":{"devices":{"\#(address)":{"transition":\#(transition)}}}}"#, isRetained: true),
            ]
        }
        try await broker.publish(
            topic: "\(name)/bridge/info", payload: #"{"config":{"devices":{"\#(address)":{"retain":true}}}}"#,
            retain: true)
        try await broker.publish(topic: "\(name)/bridge/state", payload: #"{"state":"online"}"#, retain: true)
        let device = try device("zigbee2mqtt-options", "zigbee2mqtt/", standsFor: name + "/")
        #expect(try await device.read() == ["transition": .number(0), "retain": .toggle(true)])
        try await device.write(["transition": .number(5)])
        #expect(try await device.read() == ["transition": .number(5), "retain": .toggle(false)])
        let sentence = await ConfiguredDevice.sentence { try await device.write(["transition": .number(30)]) }
        #expect(sentence == "the device refused transition on '\(name)/bridge/request/device/options': too slow")
        #expect(try await device.read()["transition"] == .number(5))
        withExtendedLifetime(standIn) {}
    }

    @Test func shellyGeneration2() async throws {
        let name = name
        let delay = Mutex("60.0")
        let standIn = try await StandIn(hearing: ["\(name)/rpc"], on: broker) { message in
            guard case .object(let request) = try? JSONValue.parse(message.payload), let id = request["id"]?.integer,
                let source = request["src"]?.string
            else { return [] }
            func answer(_ content: String) -> [StandIn.Reply] {
                [StandIn.Reply(topic: "\(source)/rpc", payload: #"{"id":\#(id),"src":"\#(name)",\#(content)}"#)]
            }
            if request["method"] == .string("Shelly.GetConfig") {
                let config = #""initial_state":"on","auto_off":true,"auto_off_delay":\#(delay.withLock { $0 })"#
                return answer(#""result":{"switch:0":{\#(config),"name":null}}"#)
            }
            guard case .object(let parameters) = request["params"], case .object(let config) = parameters["config"],
                let asked = config["auto_off_delay"]?.integer, asked < 1_000
            else { return answer(#""error":{"code":-103,"message":"Argument 'auto_off_delay' is invalid"}"#) }
            delay.withLock { $0 = "\(asked).0" }
            return answer(#""result":{"restart_required":false}"#)
        }
        try await broker.publish(topic: "\(name)/online", payload: "true", retain: true)
        try await broker.publish(
            topic: "\(name)/status/switch:0", payload: #"{"temperature":{"tC":41.5}}"#, retain: true)
        let device = try device("shelly-mqtt", "shelly_switch", standsFor: name)
        func values(_ delay: Double) -> [String: SettingValue] {
            [
                "initial_state": .option("on"), "auto_off": .toggle(true), "auto_off_delay": .number(delay),
                "temperature": .text("41.5"),
            ]
        }
        #expect(try await device.read() == values(60))
        try await device.write(["auto_off_delay": .number(90)])
        #expect(try await device.read() == values(90))
        let sentence = await ConfiguredDevice.sentence { try await device.write(["auto_off_delay": .number(1_000)]) }
        #expect(
            sentence == "the device refused auto_off_delay on '\(name)/rpc': Argument 'auto_off_delay' is invalid")
        #expect(try await device.read() == values(90))
        withExtendedLifetime(standIn) {}
    }
}

extension JSONValue {
    fileprivate var integer: Int64? { if case .integer(let integer) = self { integer } else { nil } }
    fileprivate var string: String? { if case .string(let text) = self { text } else { nil } }
}
