/// Recognises on 3.1.1 that another client uses our client id: the broker closes the connection twice in a row within
/// seconds of accepting it. MQTT 5 gives a reason for that; 3.1.1 can't.
struct TakeOverSuspicion: Sendable {
    private static let shortly = Duration.seconds(10)
    private var shortConnections = 0

    /// - Returns: whether the connection that ended now makes it likely.
    mutating func ended(with kind: MQTTConnectionFailure.Kind, after lifetime: Duration) -> Bool {
        shortConnections = kind == .connectionLost && lifetime < Self.shortly ? shortConnections + 1 : 0
        return shortConnections >= 2
    }
}
