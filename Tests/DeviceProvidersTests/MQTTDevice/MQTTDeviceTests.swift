import AccessorySettings
import Foundation
import TestSupport
import Testing

@MainActor @Suite("Devices on MQTT", .broker, .enabled(if: Broker.isAvailable)) struct MQTTDeviceTests {
    let broker: Broker
    let name = ownTopic()

    init() throws { broker = try #require(Broker.ofSuite) }

    private func device(_ settings: String, more: String = "", on broker: Broker? = nil) throws -> ConfiguredDevice {
        try ConfiguredDevice(
            #"{ "type": "mqtt", \#(more) "settings": { \#(settings) } }"#, top: (broker ?? self.broker).asBridges)
    }

    private var power: String {
        """
        "power": { "kind": "toggle", "state": { "topic": "\(name)/power" },
                   "command": { "topic": "\(name)/power/set" } }
        """
    }

    private var climate: String {
        """
        "current": { "kind": "range", "state": { "topic": "\(name)/state", "pointer": "/current" },
                     "command": { "topic": "\(name)/set" } },
        "eco": { "kind": "toggle", "state": { "topic": "\(name)/state", "pointer": "/eco" },
                 "command": { "topic": "\(name)/set" } }
        """
    }

    @Test func aRetainedStateIsThereAtOnce_AndNewOnesArePushed() async throws {
        try await broker.publish(topic: "\(name)/power", payload: "ON", retain: true)
        let device = try device(power)
        let changes = ChangeCounter(try device.changes())
        #expect(try await device.read() == ["power": .toggle(true)])
        let before = changes.count
        try await broker.publish(topic: "\(name)/power", payload: "OFF")
        try await waitUntil("the news") { changes.count > before }
        try await waitUntil("the new state") { try await device.read() == ["power": .toggle(false)] }
    }

    @Test func aStateThatIsNotRetainedIsAwaited() async throws {
        let device = try device(power, more: #""timeout": "20s","#)
        let reading = Task { try await device.read() }
        try await broker.waitForLog("\(name)/power (QoS 1)")
        try await broker.publish(topic: "\(name)/power", payload: "1")
        #expect(try await reading.value == ["power": .toggle(true)])
    }

    @Test func whereNothingComesTheReadingFailsWithTheTopics() async throws {
        let silent = try device(power, more: #""timeout": "50ms","#)
        // The first reading may end before the broker has answered.
        try await waitUntil("a reading that names the topic") {
            await ConfiguredDevice.sentence { _ = try await silent.read() }
                == "nothing came on \(name)/power within 50 ms; if the states are not retained, a 'request' can ask for them"
        }
        let asked = try device(power, more: #""timeout": "50ms", "request": { "topic": "\#(name)/get" },"#)
        try await waitUntil("a reading that names the request") {
            await ConfiguredDevice.sentence { _ = try await asked.read() }
                == "the device did not answer within 50 ms: asked on '\(name)/get', nothing came on \(name)/power"
        }
    }

    @Test(.timeLimit(.minutes(1))) func aCancelledReadingEndsAtOnce() async throws {
        let device = try device(power, more: #""timeout": "10m","#)
        let reading = Task { try await device.read() }
        try await broker.waitForLog("\(name)/power (QoS 1)")
        reading.cancel()
        await #expect(throws: CancellationError.self) { try await reading.value }
    }

    @Test("O08: null, a missing key and the word nan on MQTT are unreadable, the rest is read")
    func unreadable() async throws {
        for (payload, eco) in [
            (#"{"current": null, "eco": true}"#, true), (#"{"eco": false}"#, false),
            (#"{"current": "nan", "eco": true}"#, true), (#"{"current": nan, "eco": false}"#, false),
            (#"{"eco": true, "current": -Inf, "text": "nan \" inf"}"#, true),
        ] {
            try await broker.publish(topic: "\(name)/state", payload: payload, retain: true)
            #expect(try await device(climate).read() == ["eco": .toggle(eco)], "\(payload)")
        }
        // What was right before is not kept as if it were new.
        let device = try device(climate)
        _ = try await device.read()
        let changes = ChangeCounter(try device.changes())
        for (payload, values) in [
            (#"{"current": 21, "eco": true}"#, ["current": SettingValue.number(21), "eco": .toggle(true)]),
            (#"{"eco": true}"#, ["eco": .toggle(true)]), ("", [:]),
        ] {
            let before = changes.count
            try await broker.publish(topic: "\(name)/state", payload: payload)
            try await waitUntil("the news of '\(payload)'") { changes.count > before }
            try await waitUntil("the values of '\(payload)'") { try await device.read() == values }
        }
    }

    @Test func aPageInsteadOfJSONIsNamed_AndForgottenWithTheNextState() async throws {
        try await broker.publish(topic: "\(name)/state", payload: "<html>", retain: true)
        let device = try device(climate)
        let sentence = await ConfiguredDevice.sentence { _ = try await device.read() }
        #expect(sentence.hasPrefix("the payload on '\(name)/state' is not JSON"), "\(sentence)")
        let changes = ChangeCounter(try device.changes())
        let before = changes.count
        try await broker.publish(topic: "\(name)/state", payload: #"{"eco":true}"#)
        try await waitUntil("the news") { changes.count > before }
        try await waitUntil("the new state") { (try? await device.read()) == ["eco": .toggle(true)] }
    }

    @Test(arguments: ["a\"b}", "a\nb", "&%$(reboot)../", "{{value}}", "{{transaction}}", "+/#", "\0", ""])
    func aValueStaysAValue(_ value: String) async throws {
        let subscriber = try await Subscriber(to: ["\(name)/#"], on: broker)
        try await broker.publish(topic: "\(name)/state", payload: "x", retain: true)
        let device = try device(
            """
            "plain": { "kind": "text", "state": { "topic": "\(name)/state" }, "command": { "topic": "\(name)/plain" } },
            "json": { "kind": "text", "state": { "topic": "\(name)/state" },
                      "command": { "topic": "\(name)/json", "qos": 2, "retain": true,
                                   "payload": { "{{value}}": ["{{value}}", 1.5, "x"] } } }
            """)
        try await device.write(["plain": .text(value), "json": .text(value)])
        #expect(try await subscriber.waitFor(topic: "\(name)/plain").text == value)
        let json = try await subscriber.waitFor(topic: "\(name)/json")
        #expect(json.qos == 1, "what the subscriber asked for")
        let decoded = try JSONSerialization.jsonObject(with: Data(json.payload)) as? [String: [Any]]
        #expect(decoded?.keys.map { $0 } == ["{{value}}"])
        #expect(decoded?["{{value}}"]?.first as? String == value)
        #expect(Set(subscriber.messages.map(\.topic)) == ["\(name)/state", "\(name)/plain", "\(name)/json"])
    }

    @Test func itsConnectionEndsWithTheDevice() async throws {
        try await broker.publish(topic: "\(name)/power", payload: "ON", retain: true)
        do {
            let device = try device(
                power, more: #""server": "mqtt://127.0.0.1:\#(broker.port)", "client_id": "\#(name)","#)
            #expect(try await device.read() == ["power": .toggle(true)])
        }
        try await waitUntil("the goodbye") {
            broker.log.contains { $0.contains("Client \(name)-") && $0.contains("disconnected") }
        }
    }

    @Test func aRestartOfTheBrokerIsSurvived() async throws {
        try await withBroker { broker in
            let device = try device(power, more: #""timeout": "20s","#, on: broker)
            try await broker.publish(topic: "\(name)/power", payload: "ON", retain: true)
            #expect(try await device.read() == ["power": .toggle(true)])
            let snapshot = try await device.snapshot()
            broker.stop()
            try await waitUntil("readings to fail") {
                await ConfiguredDevice.sentence { _ = try await device.read() }.contains("127.0.0.1:\(broker.port)")
            }
            let sentence = await ConfiguredDevice.sentence {
                try await device.write(["power": .toggle(false)], as: snapshot)
            }
            #expect(sentence.contains("127.0.0.1:\(broker.port)"), "\(sentence)")
            let changes = ChangeCounter(try device.changes())
            try await broker.start()
            try await waitUntil("the news of the connection", within: .seconds(30)) { changes.count > 0 }
            try await waitUntil("a reading") { (try? await device.read()) != nil }
            try await broker.publish(topic: "\(name)/power", payload: "OFF")
            try await waitUntil("the new state") { try await device.read() == ["power": .toggle(false)] }
        }
    }

    @Test func whatTheBrokerRefusesIsTold_AndKeepsNoOtherFromBeingSent() async throws {
        let acl = "topic read #\ntopic write \(name)/power\ntopic write \(name)/eco/set\n"
        let prepare = { (directory: URL) in try put(acl, directory.appendingPathComponent("acl").path) }
        try await withBroker(configuration: "acl_file {directory}/acl", prepare: prepare) { broker in
            try await broker.publish(topic: "\(name)/power", payload: "ON", retain: true)
            let eco =
                #""eco": { "kind": "toggle", "state": { "topic": "\#(name)/power" }, "command": { "topic": "\#(name)/eco/set" } }"#
            let device = try device("\(power), \(eco)", on: broker)
            let listener = try await Subscriber(to: ["\(name)/eco/set"], on: broker)
            let failed = try await failedSettings {
                try await device.write(["power": .toggle(false), "eco": .toggle(true)])
            }
            #expect(
                failed == [
                    "power":
                        "the broker at 127.0.0.1:\(broker.port) refused the message on '\(name)/power/set': not authorised (reason 135)"
                ])
            #expect(try await listener.waitFor(topic: "\(name)/eco/set").text == "true")
        }
    }

    @Test func aDeviceThatDoesNotAnswerIsNotSentTheRest() async throws {
        func setting(_ id: String) -> String {
            """
            "\(id)": { "kind": "toggle", "state": { "topic": "\(name)/state" },
                      "command": { "topic": "\(name)/\(id)/set", "response": { "topic": "\(name)/answer" } } }
            """
        }
        let device = try device(
            [setting("a"), setting("b")].joined(separator: ", "), more: #""timeout": "300ms","#)
        try await broker.publish(topic: "\(name)/state", payload: "ON", retain: true)
        var snapshot: Snapshot?
        try await waitUntil("a reading") {
            snapshot = try? await device.snapshot()
            return snapshot != nil
        }
        let failed = try await failedSettings {
            try await device.write(["a": .toggle(true), "b": .toggle(true)], as: snapshot)
        }
        #expect(failed["b"] == "it was not sent, because a failed", "\(failed)")
        #expect(failed["a"] != nil)
    }

    @Test("O10: what a device says when it refuses is told without secrets and on one line")
    func secretsStayOutOfRefusals() async throws {
        let name = name
        let standIn = try await StandIn(hearing: ["\(name)/set", "\(name)/key/set"], on: broker) { message in
            // Devices repeat what they were told; this one remembers the key.
            let reason = #"no: \u0073\u0033cret\u002fw\u00f6rd\n\u001b[31m"# + String(repeating: "x", count: 400)
            return [
                StandIn.Reply(topic: "\(name)/answer", payload: #"{"error":"\#(reason)","was":"\#(message.text)"}"#)
            ]
        }
        defer { withExtendedLifetime(standIn) {} }
        let response = #""response": { "topic": "\#(name)/answer", "error": "/error" }"#
        let device = try device(
            """
            "key": { "kind": "text", "secret": true, "command": { "topic": "\(name)/key/set", \(response) } },
            "power": { "kind": "toggle", "state": { "topic": "\(name)/power" },
                       "command": { "topic": "\(name)/set", \(response) } }
            """)
        try await broker.publish(topic: "\(name)/power", payload: "ON", retain: true)
        var snapshot: Snapshot?
        try await waitUntil("a reading") {
            snapshot = try? await device.snapshot()
            return snapshot != nil
        }
        for (id, value) in [("key", SettingValue.text("s3cret/wörd")), ("power", .toggle(false))] {
            let failed = try await failedSettings { try await device.write([id: value], as: snapshot) }
            let topic = id == "key" ? "\(name)/key/set" : "\(name)/set"
            let rest = String(repeating: "x", count: 300 - "no: <secret>  [31m".count)
            #expect(failed[id] == "the device refused \(id) on '\(topic)': no: <secret>  [31m\(rest)…")
        }
    }

    @Test func anotherBrokerIsReachedWithItsOwnUser_AndThePasswordIsNeverSaid() async throws {
        let prepare = { (directory: URL) in
            let file = directory.appendingPathComponent("users").path
            try put("device:secret-word\n", file)
            try await run("mosquitto_passwd", ["-U", file])
        }
        try await withBroker(
            configuration: "password_file {directory}/users", allowAnonymous: false, prepare: prepare
        ) { other in
            @MainActor func device(_ password: String) throws -> ConfiguredDevice {
                try ConfiguredDevice(
                    """
                    { "type": "mqtt", "server": "mqtt://127.0.0.1:\(other.port)", "user": "device",
                      "password": "\(password)", "client_id": "own", "settings": { \(power) } }
                    """, top: broker.asBridges)
            }
            let options = ["-u", "device", "-P", "secret-word"]
            try await other.publish(topic: "\(name)/power", payload: "ON", retain: true, extra: options)
            let right = try device("secret-word")
            #expect(try await right.read() == ["power": .toggle(true)])
            #expect(other.log.contains { $0.contains(" as own-") }, "the client identifier")
            let wrong = try device("wrong-word")
            let sentence = await ConfiguredDevice.sentence { _ = try await wrong.read() }
            #expect(sentence.contains("user 'device'"), "\(sentence)")
            #expect(!sentence.contains("wrong-word"))
        }
    }
}
