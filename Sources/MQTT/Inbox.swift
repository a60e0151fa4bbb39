internal import Synchronization

/// The queue between the network thread and the one consumer of `MQTTClient.events`.
///
/// It is bounded by its producer: the network thread stops reading from the broker when told that there is no room, and is told
/// when half of the places are free again. So nothing is dropped, and at most what one read brings goes beyond.
final class Inbox<Element: Sendable>: Sendable {
    private struct State: ~Copyable {
        var elements = RingBuffer<Element>()
        var consumer: UnsafeContinuation<Element?, Never>?
        var isFinished = false
        var producerWaits = false
    }

    private enum Outcome {
        case deliver(Element)
        case end, wait
    }

    private let capacity: Int
    private let roomAgain: @Sendable () -> Void
    private let state = Mutex(State())

    /// - Parameter roomAgain: called on the consumer's thread once half of a full inbox is free again.
    init(capacity: Int = 65_536, roomAgain: @escaping @Sendable () -> Void) {
        self.capacity = capacity
        self.roomAgain = roomAgain
    }

    /// Adds an element, and hands it to the consumer if that waits.
    func push(_ element: Element) {
        append(element)
        wakeConsumer()
    }

    /// Adds an element without waking the consumer, for a producer that holds a lock the consumer will want next.
    func append(_ element: Element) {
        state.withLock { state in
            if !state.isFinished { state.elements.append(element) }
        }
    }

    /// Hands the first element to the consumer, if both are there.
    /// - Returns: whether the producer may go on. Having been told no, it is told by `roomAgain` when it may.
    @discardableResult
    func wakeConsumer() -> Bool {
        let (delivery, hasRoom) = state.withLock { state -> ((UnsafeContinuation<Element?, Never>, Element)?, Bool) in
            let hasRoom = state.elements.count < capacity
            if !hasRoom { state.producerWaits = true }
            guard state.consumer != nil, let element = state.elements.popFirst() else { return (nil, hasRoom) }
            return (state.consumer.take().map { ($0, element) }, hasRoom)
        }
        if let (consumer, element) = delivery { consumer.resume(returning: element) }
        return hasRoom
    }

    /// No more elements come; what is there is still delivered.
    func finish() {
        let consumer = state.withLock { state in
            state.isFinished = true
            return state.consumer.take()
        }
        consumer?.resume(returning: nil)
    }

    /// The next element; nil when finished and empty, or when the task is cancelled.
    func next(isolation: isolated (any Actor)?) async -> Element? {
        if let ready = take() { return ready }
        return await withTaskCancellationHandler {
            // A checked continuation would cost an allocation for each message that comes alone. This one is resumed
            // once: whoever takes it out of the state resumes it.
            await withUnsafeContinuation(isolation: isolation) { continuation in
                let isCancelled = Task.isCancelled
                let (outcome, notify) = state.withLock { state -> (Outcome, Bool) in
                    if let element = state.elements.popFirst() {
                        return (.deliver(element), Self.shouldNotify(&state, capacity))
                    }
                    if state.isFinished || isCancelled { return (.end, false) }
                    precondition(state.consumer == nil, "the events of a client have one consumer")
                    state.consumer = continuation
                    return (.wait, false)
                }
                if notify { roomAgain() }
                switch outcome {
                case .deliver(let element): continuation.resume(returning: element)
                case .end: continuation.resume(returning: nil)
                case .wait:
                    // Cancelled between the look above and now: the handler may have found nobody to wake.
                    if Task.isCancelled { cancelConsumer() }
                }
            }
        } onCancel: {
            cancelConsumer()
        }
    }

    private func take() -> Element? {
        let (element, notify) = state.withLock { state -> (Element?, Bool) in
            guard let element = state.elements.popFirst() else { return (nil, false) }
            return (element, Self.shouldNotify(&state, capacity))
        }
        if notify { roomAgain() }
        return element
    }

    private func cancelConsumer() {
        state.withLock { $0.consumer.take() }?.resume(returning: nil)
    }

    private static func shouldNotify(_ state: inout State, _ capacity: Int) -> Bool {
        guard state.producerWaits, state.elements.count <= capacity / 2 else { return false }
        state.producerWaits = false
        return true
    }
}

/// A first-in first-out buffer that reuses its memory, and gives it back after a peak.
struct RingBuffer<Element> {
    private var slots: [Element?] = []
    private var head = 0
    private(set) var count = 0

    mutating func append(_ element: Element) {
        if count == slots.count { resize(to: max(16, count * 2)) }
        slots[(head + count) & (slots.count - 1)] = element
        count += 1
    }

    mutating func popFirst() -> Element? {
        guard count > 0 else { return nil }
        let element = slots[head].take()
        head = (head + 1) & (slots.count - 1)
        count -= 1
        if count == 0, slots.count > 1_024 { (slots, head) = ([], 0) }
        return element
    }

    /// The number of slots stays a power of two.
    private mutating func resize(to size: Int) {
        var larger: [Element?] = []
        larger.reserveCapacity(size)
        for index in 0..<count { larger.append(slots[(head + index) & (slots.count - 1)].take()) }
        larger.append(contentsOf: repeatElement(nil, count: size - count))
        (slots, head) = (larger, 0)
    }
}
