/// Which protocol version the next attempt speaks. MQTT 5 comes first; 3.1.1 follows when the broker says that it does
/// not know MQTT 5, or has twice closed the connection instead of answering CONNECT (as old brokers do). What worked is
/// kept. A time-out or a refusal for another reason says nothing about the version.
struct VersionNegotiation: Sendable {
    private(set) var version: MQTTProtocolVersion
    private let isAutomatic: Bool
    /// Whether a broker has answered CONNECT in this version.
    private(set) var isSettled: Bool
    private var closes = 0

    init(_ choice: MQTTConfiguration.ProtocolVersionChoice) {
        version = choice == .v311 ? .v311 : .v5
        isAutomatic = choice == .automatic
        isSettled = !isAutomatic
    }

    mutating func connected() {
        closes = 0
        isSettled = true
    }

    /// - Returns: whether to try again at once, in another version.
    mutating func failed(with kind: MQTTConnectionFailure.Kind) -> Bool {
        guard !isSettled else { return false }
        switch kind {
        case .unsupportedVersion where version == .v5:
            // An explicit refusal: there is nothing to go back to.
            version = .v311
            isSettled = true
            return true
        case .closedBeforeAnswer:
            closes += 1
            if closes == 2 {
                // Only a guess until 3.1.1 is answered, so two more closes try MQTT 5 again.
                version = version == .v5 ? .v311 : .v5
                closes = 0
            }
        default:
            closes = 0
        }
        return false
    }
}
