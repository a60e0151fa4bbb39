import Foundation
import MQTT
import TestSupport
import Testing

@Suite(.enabled(if: Broker.isAvailable), .timeLimit(.minutes(1)))
struct MessageTests {
    @Test(arguments: [MQTTConfiguration.ProtocolVersionChoice.v5, .v311])
    func anyBytesGoThereAndBack(version: MQTTConfiguration.ProtocolVersionChoice) async throws {
        try await withBroker { broker in
            try await withClient(MQTTConfiguration(broker, version: version)) { harness in
                try await harness.waitUntilConnected()
                try await harness.client.subscribe([MQTTSubscription(filter: "a/+")])
                let payloads = [[], [0], Array(0...255), [UInt8](repeating: 0xC3, count: 100_000)]
                for payload in payloads {
                    #expect(try harness.client.publish(MQTTMessage(topic: "a/ü", payload: payload)) == .sent)
                }
                #expect(await harness.client.flush(within: .seconds(10)))
                try await waitUntil("all messages") { harness.messages.count >= payloads.count }
                #expect(harness.messages.map(\.payload) == payloads)
                #expect(harness.messages.allSatisfy { $0.topic == "a/ü" && $0.qos == .atLeastOnce && !$0.isRetained })
                #expect(harness.client.counters.messagesReceived == 4)
                #expect(harness.client.counters.messagesPublished == 4)
            }
        }
    }

    @Test(arguments: [QoS.atMostOnce, .atLeastOnce, .exactlyOnce])
    func everyQoSArrivesAndIsAcknowledged(qos: QoS) async throws {
        try await withBroker { broker in
            try await withClient(MQTTConfiguration(broker)) { harness in
                try await harness.waitUntilConnected()
                try await harness.client.subscribe([MQTTSubscription(filter: "#", qos: .exactlyOnce)])
                for number in 0..<100 {
                    #expect(
                        try harness.client.publish(MQTTMessage(topic: "t", payload: "\(number)", qos: qos)) == .sent)
                }
                #expect(await harness.client.flush(within: .seconds(10)))
                try await waitUntil("all messages") { harness.messages.count >= 100 }
                #expect(
                    harness.messages.map { String(decoding: $0.payload, as: UTF8.self) } == (0..<100).map { "\($0)" })
                #expect(harness.messages.allSatisfy { $0.qos == qos })
            }
        }
    }

    @Test func propertiesGoThereAndBack() async throws {
        let properties = MQTTProperties(
            responseTopic: "answers/1", correlationData: [0, 1, 255], contentType: "application/json",
            messageExpiryInterval: 100,
            userProperties: [.init(name: "a", value: "1"), .init(name: "b", value: ""), .init(name: "a", value: "2")])
        try await withBroker { broker in
            try await withClient(MQTTConfiguration(broker, version: .v5)) { harness in
                try await harness.waitUntilConnected()
                try await harness.client.subscribe([MQTTSubscription(filter: "t")])
                _ = try harness.client.publish(MQTTMessage(topic: "t", payload: "x", properties: properties))
                try await waitUntil("the message") { !harness.messages.isEmpty }
                #expect(harness.messages[0].properties == properties)
            }
        }
    }

    @Test func withoutMQTT5PropertiesAreLeftOut() async throws {
        try await withBroker { broker in
            let subscriber = try await Subscriber(to: ["t"], on: broker)
            try await withClient(MQTTConfiguration(broker, version: .v311)) { harness in
                try await harness.waitUntilConnected()
                let properties = MQTTProperties(responseTopic: "answers")
                _ = try harness.client.publish(MQTTMessage(topic: "t", payload: "x", properties: properties))
                #expect(try await subscriber.waitFor(topic: "t", payload: "x").responseTopic == "")
            }
        }
    }

    @Test func whatOthersReceiveIsWhatWasPublished() async throws {
        try await withBroker { broker in
            let subscriber = try await Subscriber(to: ["#"], on: broker)
            try await withClient(MQTTConfiguration(broker)) { harness in
                try await harness.waitUntilConnected()
                let properties = MQTTProperties(
                    responseTopic: "answers", contentType: "text/plain", userProperties: [.init(name: "n", value: "v")])
                _ = try harness.client.publish(
                    MQTTMessage(topic: "t", payload: [9, 10, 0, 255], isRetained: true, properties: properties))
                let message = try await subscriber.waitFor(topic: "t")
                #expect(message.payload == [9, 10, 0, 255])
                #expect(message.responseTopic == "answers")
                #expect(message.contentType == "text/plain")
                #expect(message.userProperties == "n:v")
            }
            let late = try await Subscriber(to: ["t"], on: broker)
            #expect(try await late.waitFor(topic: "t").isRetained)
        }
    }

    @Test func aSubscriptionOfMQTT5TellsRetainedFromLive() async throws {
        try await withBroker { broker in
            try await broker.publish(topic: "old", payload: "x", retain: true)
            try await withClient(MQTTConfiguration(broker, version: .v5)) { harness in
                try await harness.waitUntilConnected()
                try await harness.client.subscribe([
                    MQTTSubscription(filter: "plain"),
                    MQTTSubscription(filter: "kept", retainAsPublished: true),
                    MQTTSubscription(filter: "old", retainHandling: .never),
                ])
                try await broker.publish(topic: "plain", payload: "1", retain: true)
                try await broker.publish(topic: "kept", payload: "2", retain: true)
                try await broker.publish(topic: "kept", payload: "3")
                try await waitUntil("three messages") { harness.messages.count >= 3 }
                #expect(harness.messages.map(\.topic) == ["plain", "kept", "kept"])
                #expect(harness.messages.map(\.isRetained) == [false, true, false])
                try await harness.client.subscribe([MQTTSubscription(filter: "old")])
                try await waitUntil("the retained message") { harness.messages.count >= 4 }
                #expect(harness.messages[3].topic == "old")
                #expect(harness.messages[3].isRetained)
            }
        }
    }

    @Test func noLocalLeavesOutOwnMessages() async throws {
        try await withBroker { broker in
            try await withClient(MQTTConfiguration(broker, version: .v5)) { harness in
                try await harness.waitUntilConnected()
                try await harness.client.subscribe([MQTTSubscription(filter: "t", noLocal: true)])
                _ = try harness.client.publish(MQTTMessage(topic: "t", payload: "own"))
                #expect(await harness.client.flush(within: .seconds(10)))
                try await broker.publish(topic: "t", payload: "foreign")
                try await waitUntil("a message") { !harness.messages.isEmpty }
                #expect(harness.messages.map(\.payload) == [Array("foreign".utf8)])
            }
        }
    }

    @Test func afterUnsubscribingNothingComes() async throws {
        try await withBroker { broker in
            try await withClient(MQTTConfiguration(broker)) { harness in
                try await harness.waitUntilConnected()
                try await harness.client.subscribe([MQTTSubscription(filter: "a"), MQTTSubscription(filter: "b")])
                try await harness.client.unsubscribe(["a"])
                try await broker.publish(topic: "a", payload: "1")
                try await broker.publish(topic: "b", payload: "2")
                try await waitUntil("a message") { !harness.messages.isEmpty }
                #expect(harness.messages.map(\.topic) == ["b"])
            }
        }
    }

    @Test func topicsAndFiltersThatCannotBeAreRefused() async throws {
        try await withBroker { broker in
            try await withClient(MQTTConfiguration(broker)) { harness in
                try await harness.waitUntilConnected()
                for topic in ["", "a/+", "#", "a\0b", String(repeating: "x", count: 65_536)] {
                    #expect(throws: MQTTError.invalidTopic(topic)) {
                        try harness.client.publish(MQTTMessage(topic: topic, payload: "x"))
                    }
                }
                for filter in ["", "a/#/b", "a+", "a\0b"] {
                    await #expect(throws: MQTTError.invalidFilter(filter)) {
                        try await harness.client.subscribe([MQTTSubscription(filter: filter)])
                    }
                }
                #expect(await harness.client.flush(within: .seconds(10)))
            }
        }
    }

    @Test func whatTheBrokerDoesNotTakeIsReported() async throws {
        let access = "acl_file {directory}/acl\nmax_packet_size 1000"
        let prepare = { (directory: URL) in
            try "topic readwrite allowed\n".write(
                to: directory.appendingPathComponent("acl"), atomically: true, encoding: .utf8)
        }
        try await withBroker(configuration: access, prepare: prepare) { broker in
            try await withClient(MQTTConfiguration(broker, version: .v5)) { harness in
                try await harness.waitUntilConnected()
                #expect(harness.connections[0].maximumPacketSize == 1000)
                _ = try harness.client.publish(MQTTMessage(topic: "forbidden", payload: "x"))
                try await waitUntil("the refusal") {
                    harness.events.contains(.publishRefused(topic: "forbidden", reason: .notAuthorized))
                }
                #expect(harness.client.refusedTopics == [], "it was not to be retained")
                _ = try harness.client.publish(MQTTMessage(topic: "forbidden", payload: "x", isRetained: true))
                #expect(await harness.client.flush(within: .seconds(10)))
                #expect(harness.client.refusedTopics == ["forbidden"])
                #expect(throws: MQTTError.tooLarge(topic: "allowed", limit: 1000)) {
                    try harness.client.publish(
                        MQTTMessage(topic: "allowed", payload: [UInt8](repeating: 0, count: 1000)))
                }
            }
        }
    }

    @Test func aBrokerThatTakesOnlyQoS0IsNotAskedForMore() async throws {
        try await withBroker(configuration: "max_qos 0\nretain_available false") { broker in
            let subscriber = try await Subscriber(to: ["t"], on: broker, qos: 0)
            try await withClient(MQTTConfiguration(broker, version: .v5)) { harness in
                try await harness.waitUntilConnected()
                #expect(harness.connections[0].maximumQoS == .atMostOnce)
                #expect(!harness.connections[0].retainAvailable)
                _ = try harness.client.publish(MQTTMessage(topic: "t", payload: "x", isRetained: true))
                try await subscriber.waitFor(topic: "t", payload: "x")
            }
        }
    }

    @Test(arguments: [MQTTConfiguration.ProtocolVersionChoice.v5, .v311])
    func aThousandUnacknowledgedPublishesAreTheLimit(version: MQTTConfiguration.ProtocolVersionChoice) async throws {
        try await withBroker { broker in
            let subscriber = try await Subscriber(to: ["#"], on: broker, version: "311", qos: 0)
            try await withClient(MQTTConfiguration(broker, version: version)) { harness in
                try await harness.waitUntilConnected()
                broker.pause()
                for number in 0..<MQTTClient.publishLimit {
                    #expect(try harness.client.publish(MQTTMessage(topic: "t", payload: "\(number)")) == .sent)
                }
                #expect(try harness.client.publish(MQTTMessage(topic: "t", payload: "too much")) == .full)
                #expect(await !harness.client.flush(within: .milliseconds(50)))
                broker.resume()
                try await waitUntil("room again") { harness.events.contains(.roomForPublishes) }
                #expect(try harness.client.publish(MQTTMessage(topic: "last", payload: "x")) == .sent)
                #expect(await harness.client.flush(within: .seconds(10)))
                #expect(harness.events.count { $0 == .roomForPublishes } == 1)
                try await subscriber.waitFor(topic: "last")
                #expect(!subscriber.messages.contains { $0.text == "too much" })
            }
        }
    }
}
