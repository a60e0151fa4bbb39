/// Recognises that another client uses our client id, where the broker doesn't say so: 3.1.1 can't, and mosquitto 2.0
/// doesn't with MQTT 5 either. It then closes the connection twice in a row within seconds of accepting it.
struct TakeOverSuspicion: Sendable {
    private static let shortly = Duration.seconds(10)
    private var shortConnections = 0

    /// - Returns: whether the connection that ended now makes it likely.
    mutating func ended(with kind: MQTTConnectionFailure.Kind, after lifetime: Duration) -> Bool {
        shortConnections = kind == .connectionLost && lifetime < Self.shortly ? shortConnections + 1 : 0
        return shortConnections >= 2
    }
}
