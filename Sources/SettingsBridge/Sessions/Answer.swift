import AccessorySettings

/// What became of a command.
struct Answer: Sendable, Equatable {
    enum Outcome: Sendable, Equatable {
        /// Done; the settings it named, as read back.
        case ok([ReadBack])
        /// A newer command for the same settings took its place before it was written.
        case superseded
        /// At least one reason; after a write that failed also the settings it named, as read back.
        case refused([Refusal], readBack: [ReadBack]? = nil)
    }

    struct ReadBack: Sendable, Equatable {
        var setting: String
        var value: SettingValue?
    }

    enum Verb: String, Sendable {
        case set, get
    }

    var verb: Verb
    var accessory: String
    var outcome: Outcome
    var sender: Sender
}

extension Answer {
    func json() -> [UInt8] {
        let status: ResponseStatus =
            switch outcome {
            case .ok: .ok
            case .superseded: .superseded
            case .refused(let refusals, _): .error(message: message, refusals)
            }
        return ResponseStatus.json(status, transaction: sender.transaction) { data in
            data.field("accessory", accessory)
            guard let readBack else { return }
            data.key("settings")
            data.object {
                for entry in readBack {
                    $0.key(entry.setting)
                    $0.value(entry.value)
                }
            }
        }
    }

    private var readBack: [ReadBack]? {
        switch outcome {
        case .ok(let readBack): readBack
        case .refused(_, let readBack): readBack
        case .superseded: nil
        }
    }

    /// The sentences of all refusals, naming the accessory; empty where there is none.
    var message: String {
        guard case .refused(let refusals, _) = outcome else { return "" }
        return "\(accessory): \(refusals.sentence)"
    }
}
