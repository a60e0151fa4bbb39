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
        /// A reload found faults in the configuration.
        case invalidConfiguration = "invalid_configuration"
    }

    public var code: Code
    public var message: String
    /// The setting it is about; `nil` where the whole message is refused.
    public var setting: String?

    public init(_ code: Code, setting: String? = nil, _ message: String) {
        self.code = code
        self.setting = setting
        self.message = message
    }
}

extension [Refusal] {
    /// All reasons in one sentence, each once.
    var sentence: String {
        var sentences: [String] = []
        for refusal in self where !sentences.contains(refusal.message) { sentences.append(refusal.message) }
        return sentences.joined(separator: "; ")
    }
}
