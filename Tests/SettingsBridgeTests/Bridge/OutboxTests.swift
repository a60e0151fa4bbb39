import MQTT
import Synchronization
import Testing

@testable import SettingsBridge

@Suite struct OutboxTests {
    /// A client that takes as many messages as it has room for.
    final class FakeClient: Sendable {
        struct State {
            var room = 0
            var isConnected = true
            var taken: [String] = []
        }
        let state = Mutex(State())

        func publish(_ message: MQTTMessage, pastLimit: Bool) throws(MQTTError) -> PublishResult {
            try state.withLock { state throws(MQTTError) in
                guard state.isConnected else { throw .notConnected(doing: "publishing") }
                if message.topic == "impossible" { throw .tooLarge(topic: message.topic, limit: 10) }
                guard state.room > 0 || pastLimit else { return .full }
                state.room -= 1
                state.taken.append("\(message.topic)=\(String(decoding: message.payload, as: UTF8.self))")
                return .sent
            }
        }

        var taken: [String] { state.withLock { $0.taken } }
        func give(_ room: Int) { state.withLock { $0.room = room } }
    }

    private let client = FakeClient()
    private let outbox: Outbox
    private let lateFailures = Failures()

    final class Failures: Sendable {
        let topics = Mutex<[String]>([])
    }

    init() {
        let (client, failures) = (client, lateFailures)
        outbox = Outbox(
            { message, pastLimit throws(MQTTError) in try client.publish(message, pastLimit: pastLimit) },
            reportFailures: { failed in failures.topics.withLock { $0 += failed.map(\.topic) } })
    }

    private func state(_ topic: String, _ payload: String) -> MQTTMessage {
        MQTTMessage(topic: topic, payload: payload, isRetained: true)
    }

    private func answer(_ number: Int) -> MQTTMessage { MQTTMessage(topic: "answer", payload: "\(number)") }
    private func line(_ number: Int) -> MQTTMessage {
        MQTTMessage(topic: "log", payload: "\(number)", qos: .atMostOnce)
    }

    @Test func whatTheClientDoesNotTakeKeepsItsOrderAndOnlyTheNewestOfATopic() {
        client.give(1)
        outbox.connected()
        outbox.publish([state("a", "1"), state("b", "1"), state("c", "1"), state("b", "2"), state("online", "1")])
        #expect(client.taken == ["a=1"])
        for _ in 0..<4 {
            client.give(1)
            outbox.roomForPublishes()
        }
        #expect(client.taken == ["a=1", "c=1", "b=2", "online=1"])
    }

    @Test func aMillionChangesOfOneTopicWaitAsOne() {
        outbox.connected()
        for number in 0..<100_000 { outbox.publish([state("a", "\(number)")]) }
        client.give(10)
        outbox.roomForPublishes()
        #expect(client.taken == ["a=99999"])
    }

    @Test func withoutAConnectionOnlyAnswersWait() {
        outbox.publish([state("a", "1"), answer(1), line(1)])
        client.give(10)
        outbox.connected()
        #expect(client.taken == ["answer=1"])
    }

    @Test func aLostConnectionKeepsTheAnswersInTheirOrder() {
        outbox.connected()
        outbox.publish([answer(1), state("a", "1"), answer(2), line(1)])
        outbox.disconnected()
        outbox.publish([answer(3)])
        client.give(10)
        outbox.connected()
        #expect(client.taken == ["answer=1", "answer=2", "answer=3"])
    }

    @Test func aConnectionThatIsGoneBeforeItsEventKeepsTheAnswer() {
        outbox.connected()
        client.state.withLock { $0.isConnected = false }
        outbox.publish([answer(1), state("a", "1"), answer(2)])
        client.state.withLock { $0.isConnected = true }
        client.give(10)
        outbox.connected()
        #expect(client.taken == ["answer=1", "answer=2"])
    }

    @Test func answersAndLogLinesAreBoundedEachByItself() {
        outbox.connected()
        outbox.publish((0..<2_000).map(line) + (0..<10_010).map(answer))
        #expect(outbox.dropped == 1_900 + 10)
        client.give(50_000)
        outbox.roomForPublishes()
        #expect(client.taken.filter { $0.hasPrefix("answer") }.count == 10_000)
        #expect(client.taken.filter { $0.hasPrefix("log") }.count == 100)
    }

    @Test func whatCanNeverBePublishedIsToldAndHoldsNothingUp() {
        client.give(10)
        outbox.connected()
        let failures = outbox.publish([state("impossible", "x"), state("a", "1")])
        #expect(failures.map(\.topic) == ["impossible"])
        #expect(client.taken == ["a=1"])
    }

    @Test func whatTurnsOutUnpublishableAfterItHadToWaitIsToldToo() {
        outbox.connected()
        outbox.publish([state("a", "1"), state("impossible", "x"), state("b", "1")])
        client.give(10)
        outbox.roomForPublishes()
        #expect(client.taken == ["a=1", "b=1"])
        #expect(lateFailures.topics.withLock { $0 } == ["impossible"])
    }

    @Test func theLastWordsOvertakeTheBacklog() {
        outbox.connected()
        outbox.publish([state("a", "1"), answer(1), state("online", "1")])
        outbox.finish(with: state("online", "0"))
        #expect(client.taken == ["answer=1", "online=0"])
        client.give(10)
        outbox.roomForPublishes()
        outbox.publish([state("a", "2")])
        #expect(client.taken == ["answer=1", "online=0"], "nothing follows")
    }
}
