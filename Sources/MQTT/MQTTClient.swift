internal import CMosquitto

/// A connection to an MQTT broker that comes back by itself.
///
/// `run()` connects and reconnects until `stop()`; meanwhile `events` tells what happens. Publishing never blocks and
/// nothing is kept for later: while there is no connection, or too much is unacknowledged, the caller keeps its messages.
public final class MQTTClient: Sendable {
    /// How many publishes may be unacknowledged before `publish` answers `.full`.
    public static let publishLimit = 1_000

    public init(_ configuration: MQTTConfiguration) {}

    /// What happens, in order. For one consumer; ends when `run()` does.
    public var events: MQTTEvents { MQTTEvents() }

    /// Connects, and reconnects whenever the connection ends, until `stop()` or until the task is cancelled.
    public func run() async {}

    /// Hands a message to the connection, without waiting for anything.
    public func publish(_ message: MQTTMessage) throws(MQTTError) -> PublishResult { .sent }

    /// Subscribes and waits for the broker's answer, 10 seconds at most. The first refusal is thrown.
    public func subscribe(_ subscriptions: [MQTTSubscription]) async throws(MQTTError) {}

    /// Unsubscribes and waits for the broker's answer, 10 seconds at most.
    public func unsubscribe(_ filters: [String]) async throws(MQTTError) {}

    /// Waits until every publish is acknowledged (QoS 0: written to the connection).
    /// - Returns: false if that did not happen within the limit, or if the connection ended before.
    public func flush(within limit: Duration) async -> Bool { true }

    /// Says goodbye to the broker, which then drops the will, and ends `run()`. May be called at any time and again.
    public func stop() async {}

    /// The protocol version found by `.automatic`, once a broker accepted it.
    public var negotiatedVersion: MQTTProtocolVersion? { nil }

    public var counters: MQTTCounters { MQTTCounters() }

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

    public struct AsyncIterator: AsyncIteratorProtocol {
        public mutating func next(isolation actor: isolated (any Actor)?) async -> MQTTEvent? { nil }
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
}
