import Synchronization
import TestSupport
import Testing

@testable import MQTT

@Suite(.timeLimit(.minutes(1)))
struct InboxTests {
    @Test func elementsComeInOrder() async {
        let inbox = Inbox<Int> {}
        async let received = (0..<10_000).asyncMap { _ in await inbox.next(isolation: nil) }
        for number in 0..<10_000 { inbox.push(number) }
        #expect(await received == Array(0..<10_000))
    }

    @Test func finishingDeliversWhatIsThereFirst() async {
        let inbox = Inbox<Int> {}
        inbox.push(1)
        inbox.finish()
        inbox.push(2)
        #expect(await inbox.next(isolation: nil) == 1)
        #expect(await inbox.next(isolation: nil) == nil)
    }

    @Test func finishingWakesAWaitingConsumer() async {
        let inbox = Inbox<Int> {}
        async let next = inbox.next(isolation: nil)
        inbox.finish()
        #expect(await next == nil)
    }

    @Test func cancellingWakesAWaitingConsumer() async {
        let inbox = Inbox<Int> {}
        for _ in 0..<100 {
            let waiting = Task { await inbox.next(isolation: nil) }
            waiting.cancel()
            #expect(await waiting.value == nil)
        }
    }

    @Test func theProducerIsToldOnceWhenHalfIsFree() async {
        let told = Atomic(0)
        let inbox = Inbox<Int>(capacity: 4) { told.add(1, ordering: .relaxed) }
        for number in 0..<5 { inbox.push(number) }
        #expect(!inbox.wakeConsumer())
        _ = await inbox.next(isolation: nil)
        _ = await inbox.next(isolation: nil)
        #expect(told.load(ordering: .relaxed) == 0)
        _ = await inbox.next(isolation: nil)
        _ = await inbox.next(isolation: nil)
        #expect(told.load(ordering: .relaxed) == 1)
        #expect(inbox.wakeConsumer())
    }

    @Test func aRingBufferKeepsOrderWhileItGrowsAndWraps() {
        var buffer = RingBuffer<Int>()
        var (next, expected) = (0, 0)
        for round in 1...60 {
            for _ in 0..<round * 3 {
                buffer.append(next)
                next += 1
            }
            for _ in 0..<round * 2 {
                #expect(buffer.popFirst() == expected)
                expected += 1
            }
        }
        while let element = buffer.popFirst() {
            #expect(element == expected)
            expected += 1
        }
        #expect(expected == next)
        #expect(buffer.count == 0)
    }
}

extension Range<Int> {
    fileprivate func asyncMap<Result: Sendable>(_ transform: @Sendable (Int) async -> Result) async -> [Result] {
        var results: [Result] = []
        for number in self { results.append(await transform(number)) }
        return results
    }
}
