/// A topic filter and how its messages should come. The options besides `qos` are MQTT 5's and ignored on 3.1.1.
public struct MQTTSubscription: Sendable, Equatable {
    /// Which retained messages the broker sends on subscribing.
    public enum RetainHandling: Sendable {
        case sendAlways
        /// Only when the subscription is new to the session.
        case sendIfNew
        case never
    }

    public var filter: String
    public var qos: QoS
    /// Leave out what this client publishes itself.
    public var noLocal: Bool
    /// Deliver the retain flag as its publisher set it.
    public var retainAsPublished: Bool
    public var retainHandling: RetainHandling

    public init(
        filter: String, qos: QoS = .atLeastOnce, noLocal: Bool = false, retainAsPublished: Bool = false,
        retainHandling: RetainHandling = .sendAlways
    ) {
        self.filter = filter
        self.qos = qos
        self.noLocal = noLocal
        self.retainAsPublished = retainAsPublished
        self.retainHandling = retainHandling
    }
}
