import MQTT
import Synchronization
import Testing

@testable import SettingsBridge

@Suite("An outbox that is left for another") struct OutboxLeavingTests {
    private final class Wire: Sendable {
        let sent = Mutex<[String]>([])
        let isConnected = Mutex(true)

        func outbox() -> Outbox {
            Outbox({ message, _ throws(MQTTError) in
                guard self.isConnected.withLock({ $0 }) else { throw .notConnected(doing: "publishing") }
                self.sent.withLock { $0.append(message.topic) }
                return .sent
            })
        }
    }

    private let answer = MQTTMessage(topic: "answer", payload: "{}")
    private let last = MQTTMessage(topic: "state", payload: "offline", isRetained: true)

    @Test func answersThatComeAfterwardsGoToTheNext() {
        let (old, new) = (Wire(), Wire())
        let (left, next) = (old.outbox(), new.outbox())
        left.connected()
        left.leave(with: last)
        left.publish([answer, MQTTMessage(topic: "value", payload: "1", isRetained: true)])
        left.connected()
        left.handOver(to: next)
        left.publish([answer])
        #expect(new.sent.withLock { $0 } == [])
        next.connected()
        #expect(old.sent.withLock { $0 } == ["state"])
        #expect(new.sent.withLock { $0 } == ["answer", "answer"])
    }

    @Test func answersThatWaitWithoutAConnectionAreHandedOver() {
        let (old, new) = (Wire(), Wire())
        let (left, next) = (old.outbox(), new.outbox())
        old.isConnected.withLock { $0 = false }
        left.publish([answer])
        left.leave(with: last)
        left.handOver(to: next)
        next.connected()
        #expect(old.sent.withLock { $0 } == [])
        #expect(new.sent.withLock { $0 } == ["answer"])
    }

    @Test func whatIsLeftIsNotFinishedAgain() {
        let old = Wire()
        let left = old.outbox()
        left.connected()
        left.leave(with: MQTTMessage(topic: "state", payload: "", isRetained: true))
        left.finish(with: last)
        #expect(old.sent.withLock { $0 } == ["state"])
    }
}
