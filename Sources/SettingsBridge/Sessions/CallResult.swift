package import AccessorySettings

/// What one call of an accessory's providers brought.
struct CallResult: Sendable {
    /// The changes that were not applied.
    var failures: [ChangeFailure] = []
    var reading: Result<Reading, ReadingFailure>
}

/// The settings of all providers of an accessory, joined in order.
struct Reading: Sendable {
    var settings: [Setting]
    /// What was wrong with the answers, such as an identifier that two providers use.
    var warnings: [String] = []
}

/// Why an accessory could not be read.
struct ReadingFailure: Error {
    var reason: String

    var message: String { "can't be read: \(reason)" }
}

/// Settings whose changes were not applied, all for the same reason.
struct ChangeFailure: Sendable {
    var settings: Set<String>
    var message: String

    func refusal(of change: Setting) -> Refusal {
        Refusal(
            .providerFailed, setting: change.id, "\(change.id) could not be set to \(change.valueText)",
            because: message)
    }
}

extension Setting {
    /// The value for sentences; not that of a secret.
    package var valueText: String {
        switch (value, descriptor.kind) {
        case (.text, .text(_, _, isSecret: true)): "a new value"
        case (.text(let text), _): "'\(text.prefix(40))'"
        case (let value, _): String(decoding: StatePayload.bytes(value), as: UTF8.self)
        }
    }
}
