/// Why a session ends, for those whose commands it can't carry out any more.
enum SessionEnd: Sendable {
    case bridgeStops
    /// A reload took the accessory away.
    case isRemoved
    /// A reload changed the accessory; its next session is about to begin.
    case isReplaced

    var code: Refusal.Code {
        switch self {
        case .bridgeStops, .isReplaced: .stopping
        case .isRemoved: .unknownAccessory
        }
    }

    var sentence: String {
        switch self {
        case .bridgeStops: "the bridge is stopping"
        case .isRemoved: "was removed from the configuration"
        case .isReplaced: "begins anew with another configuration"
        }
    }
}
