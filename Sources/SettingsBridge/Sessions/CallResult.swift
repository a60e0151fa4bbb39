package import AccessorySettings

/// What one call of an accessory's providers brought.
struct CallResult: Sendable {
    /// The providers that did not take their changes.
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

/// A provider that failed to apply the changes of its settings.
struct ChangeFailure: Sendable {
    var settings: Set<String>
    var message: String

    func refusal(of change: Setting) -> Refusal {
        Refusal(
            .providerFailed, setting: change.id, "\(change.id) could not be set to \(change.valueText): \(message)")
    }
}

extension Setting {
    /// The value for sentences.
    package var valueText: String {
        switch value {
        case .text(let text): "'\(text.prefix(40))'"
        case let value: String(decoding: StatePayload.bytes(value), as: UTF8.self)
        }
    }
}
