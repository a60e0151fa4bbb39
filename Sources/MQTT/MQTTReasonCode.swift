internal import CMosquitto

/// A reason code of MQTT 5 (section 2.4). 128 and above are refusals; codes without a name here stay usable.
public struct MQTTReasonCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    public static let success = Self(rawValue: 0)
    public static let unsupportedProtocolVersion = Self(rawValue: 132)
    public static let badUserNameOrPassword = Self(rawValue: 134)
    public static let notAuthorized = Self(rawValue: 135)
    public static let serverShuttingDown = Self(rawValue: 139)
    public static let keepAliveTimeout = Self(rawValue: 141)
    public static let sessionTakenOver = Self(rawValue: 142)
    public static let packetTooLarge = Self(rawValue: 149)
    public static let quotaExceeded = Self(rawValue: 151)

    /// Note that 16, "no matching subscribers", is success.
    public var isRefusal: Bool { rawValue >= 128 }

    /// For example `not authorised (reason 135)`.
    public var description: String {
        let text =
            switch self {
            case .badUserNameOrPassword: "bad user name or password"
            case .notAuthorized: "not authorised"
            case .packetTooLarge: "packet too large"
            case .quotaExceeded: "quota exceeded"
            default: String(cString: mosquitto_reason_string(CInt(rawValue))).lowercasedFirst.withoutFinalStop
            }
        return "\(text) (reason \(rawValue))"
    }
}

extension String {
    /// The C library's sentences start with a capital and end with a full stop; ours go on.
    fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
    fileprivate var withoutFinalStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
