/// A message for an accessory that asks for something.
struct Command: Sendable {
    enum Kind: Sendable, Hashable {
        /// A change of one setting, or with `nil` of several in a JSON object.
        case set(setting: String?)
        /// A reading of one setting, or with `nil` of all.
        case get(setting: String?)

        /// The setting that it names.
        var setting: String? {
            switch self {
            case .set(let setting), .get(let setting): setting
            }
        }
    }

    var kind: Kind
    var payload: [UInt8]
    /// What a request asks for, where it names the changes beside other things.
    var changes: [String: JSONValue]?
    var isRetained: Bool
    var sender: Sender
    var receivedAt: ContinuousClock.Instant
}

/// Where the answer to a command goes.
struct Sender: Sendable, Hashable {
    /// MQTT 5: where the sender wants the answer, already checked; else the bridge's own response topic is used.
    var responseTopic: String?
    /// MQTT 5: goes back with the answer unchanged.
    var correlationData: [UInt8]?
    /// Whether a response topic was given, be it a usable one or not.
    var gaveResponseTopic = false
    /// Goes back with the answer unchanged.
    var transaction: JSONValue?

    /// Whether it was a request, which is always answered.
    var isRequest = false

    /// Whether the sender wants to hear of success too.
    var asked: Bool { isRequest || gaveResponseTopic || transaction != nil }
}
