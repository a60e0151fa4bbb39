/// Why a bridge could not run.
public enum BridgeError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Another bridge is at work on the same base topic.
    case baseTopicInUse(String, byClient: String)

    public var description: String {
        switch self {
        case .baseTopicInUse(let base, let client):
            "another bridge, with the client id '\(client)', runs on the base topic '\(base)'; give this one a base_topic of its own, or stop the other. If there is none, clear what it left: mosquitto_pub -r -n -t '\(base)/bridge/state'"
        }
    }
}
