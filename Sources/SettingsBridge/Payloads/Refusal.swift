/// Why a command is refused or failed: one of the contract's codes and a sentence for the sender.
public struct Refusal: Error, Sendable, Equatable {
    public enum Code: String, Sendable {
        case unknownAccessory = "unknown_accessory"
        case unknownSetting = "unknown_setting"
        case unknownRequest = "unknown_request"
        case readOnly = "read_only"
        case disabled
        case hidden
        case invalidPayload = "invalid_payload"
        case outOfRange = "out_of_range"
        case notAnOption = "not_an_option"
        case tooLong = "too_long"
        case retained
        case accessoryOffline = "accessory_offline"
        case timeout
        case providerFailed = "provider_failed"
        case stopping
        /// Too many requests wait for the bridge.
        case busy
        /// A reload found faults in the configuration.
        case invalidConfiguration = "invalid_configuration"
    }

    public var code: Code
    /// What is refused or failed, without the cause.
    public var statement: String
    /// Why, where several settings may share it.
    public var cause: String?
    /// The setting it is about; `nil` where the whole message is refused.
    public var setting: String?

    public init(_ code: Code, setting: String? = nil, _ statement: String, because cause: String? = nil) {
        self.code = code
        self.setting = setting
        self.statement = statement
        self.cause = cause
    }

    /// The whole sentence.
    public var message: String { cause.map { "\(statement): \($0)" } ?? statement }
}

extension [Refusal] {
    /// All refusals in one sentence. What several have in common, the whole or the cause, is said once.
    var sentence: String {
        var groups: [(statements: [String], cause: String?)] = []
        for refusal in self {
            if let cause = refusal.cause, let group = groups.firstIndex(where: { $0.cause == cause }) {
                groups[group].statements.append(refusal.statement)
            } else if refusal.cause != nil || !groups.contains(where: { $0.statements == [refusal.statement] }) {
                groups.append(([refusal.statement], refusal.cause))
            }
        }
        return groups.map { group in
            group.statements.joined(separator: ", ") + (group.cause.map { ": \($0)" } ?? "")
        }.joined(separator: "; ")
    }
}
