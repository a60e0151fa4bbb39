internal import CMosquitto
internal import Synchronization

/// A connection to an MQTT broker that comes back by itself.
///
/// `run()` connects and reconnects until `stop()`; meanwhile `events` tells what happens. Publishing never blocks and
/// nothing is kept for later: while there is no connection, or too much is unacknowledged, the caller keeps its messages.
public final class MQTTClient: Sendable {
    /// How many publishes may be unacknowledged before `publish` answers `.full`.
    public static let publishLimit = 1_000

    /// Numbers that tests shorten.
    struct Limits: Sendable {
        var publishes = MQTTClient.publishLimit
        /// From the TCP connection to CONNACK.
        var connectAnswer = Duration.seconds(10)
        /// For the answers to SUBSCRIBE and UNSUBSCRIBE.
        var answer = Duration.seconds(10)
        /// For a clean end, within `stop`.
        var goodbye = Duration.seconds(1)
        var inbox = 65_536
    }

    let configuration: MQTTConfiguration
    let limits: Limits
    let random: @Sendable () -> Double
    let onMessage: MessageHandler?
    let inbox: Inbox<MQTTEvent>
    let record = ClientRecord()
    let waker: Waker
    let session = SharedSession()
    let life = Mutex(ClientLife())

    /// - Parameter onMessage: takes the messages in place of `events`, on the network thread and so without a change of
    ///   thread. It must be quick, since nothing is read from the broker meanwhile; it may publish.
    public convenience init(_ configuration: MQTTConfiguration, onMessage: MessageHandler? = nil) {
        self.init(configuration, limits: Limits(), onMessage: onMessage) { Double.random(in: -1...1) }
    }

    public typealias MessageHandler = @Sendable (MQTTMessage, MQTTProtocolVersion) -> Void

    /// - Parameter random: -1 to 1, for the jitter of the reconnect delays.
    init(
        _ configuration: MQTTConfiguration, limits: Limits, onMessage: MessageHandler? = nil,
        random: @escaping @Sendable () -> Double
    ) {
        self.onMessage = onMessage
        self.configuration = configuration
        self.limits = limits
        self.random = random
        let waker = Waker()
        self.waker = waker
        inbox = Inbox(capacity: limits.inbox) { waker.wake() }
    }

    /// What happens, in order: connected, its messages, disconnected, and so on. For one consumer; ends when `run()` does.
    /// A consumer that falls behind makes the client stop reading from the broker; nothing is dropped.
    public var events: MQTTEvents { MQTTEvents(inbox: inbox) }

    /// Hands a message to the connection, without waiting for anything.
    ///
    /// A QoS above the broker's maximum is lowered to it. With 3.1.1 the properties are left out.
    /// - Parameter pastLimit: whether it goes even if `publishLimit` publishes are unacknowledged; for the last words.
    /// - Throws: `.notConnected`, `.invalidTopic`, `.tooLarge`, or `.failed`; the message was not sent.
    public func publish(_ message: MQTTMessage, pastLimit: Bool = false) throws(MQTTError) -> PublishResult {
        try session.value.withLock { session throws(MQTTError) in
            guard let session, let connection = session.connection else {
                throw .notConnected(doing: "publishing on '\(message.topic)'")
            }
            let result = try session.publish(message, on: connection, pastLimit: pastLimit)
            if session.hasUnsentPackets { waker.wake() }
            return result
        }
    }

    /// Subscribes and waits for the broker's answer, 10 seconds at most.
    /// - Throws: `.subscriptionRefused` with the first filter refused, `.notConnected` (also when the connection ends
    ///   meanwhile), `.noAnswer` or `.invalidFilter`.
    public func subscribe(_ subscriptions: [MQTTSubscription]) async throws(MQTTError) {
        guard !subscriptions.isEmpty else { return }
        try await request("subscribing") { session, limit, answer in
            session.subscribe(subscriptions, limit: limit, answer: answer)
        }
    }

    /// Unsubscribes and waits for the broker's answer, 10 seconds at most.
    /// - Throws: `.notConnected` (also when the connection ends meanwhile), `.noAnswer` or `.invalidFilter`.
    public func unsubscribe(_ filters: [String]) async throws(MQTTError) {
        guard !filters.isEmpty else { return }
        try await request("unsubscribing") { session, limit, answer in
            session.unsubscribe(filters, limit: limit, answer: answer)
        }
    }

    private func request(
        _ action: String, _ send: (Session, Duration, @escaping (PendingAnswers.Answer) -> Void) -> Void
    ) async throws(MQTTError) {
        let answer: PendingAnswers.Answer = await withCheckedContinuation { continuation in
            session.value.withLock { session in
                guard let session, session.connection != nil else {
                    return continuation.resume(returning: .failure(.notConnected(doing: action)))
                }
                send(session, limits.answer) { continuation.resume(returning: $0) }
                if session.hasUnsentPackets { waker.wake() }
            }
        }
        try answer.get()
    }

    /// Waits until every publish is acknowledged (QoS 0: written to the connection).
    /// - Returns: false if that did not happen within the limit, or if the connection ended before.
    public func flush(within limit: Duration) async -> Bool {
        await withCheckedContinuation { continuation in
            session.value.withLock { session in
                guard let session, session.connection != nil, session.ledger.count > 0 else {
                    return continuation.resume(returning: session?.connection != nil)
                }
                session.flushes.add(until: .now + limit) { continuation.resume(returning: $0) }
                // The network thread keeps the time.
                waker.wake()
            }
        }
    }

    /// The topics of retained messages that the broker refused on this connection and has not taken since (MQTT 5).
    public var refusedTopics: Set<String> { session.value.withLock { $0?.ledger.refused ?? [] } }

    /// The protocol version a broker accepted; a client made later for the same broker can be given it.
    public var negotiatedVersion: MQTTProtocolVersion? { record.negotiatedVersion }

    public var counters: MQTTCounters { record.counters }

    /// Version of libmosquitto, for example `2.0.11`.
    public static var libraryVersion: String {
        var (major, minor, revision): (CInt, CInt, CInt) = (0, 0, 0)
        mosquitto_lib_version(&major, &minor, &revision)
        return "\(major).\(minor).\(revision)"
    }
}

/// The events of a client, see `MQTTClient.events`.
public struct MQTTEvents: AsyncSequence, Sendable {
    public typealias Element = MQTTEvent
    public typealias Failure = Never

    let inbox: Inbox<MQTTEvent>

    public struct AsyncIterator: AsyncIteratorProtocol {
        let inbox: Inbox<MQTTEvent>

        /// The next event; nil when the client has ended or the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> MQTTEvent? {
            await inbox.next(isolation: actor)
        }

        public mutating func next() async -> MQTTEvent? {
            await inbox.next(isolation: #isolation)
        }
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(inbox: inbox) }
}
