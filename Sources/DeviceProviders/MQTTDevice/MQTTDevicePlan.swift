import MQTT
import SettingsBridge

/// The topics of a device that is on MQTT already.
struct MQTTDevicePlan: Sendable, Equatable {
    struct Setting: Sendable, Equatable {
        var id: String
        /// `nil` for a secret, which is only written.
        var state: State?
        /// `nil` for information.
        var command: Command?
    }

    /// Where a value is reported.
    struct State: Sendable, Equatable {
        var topic: String
        /// Within a JSON payload; `nil`: the payload is the value.
        var pointer: JSONPointer?
        /// Whether messages that lack the value say nothing about it.
        var isPartial = false
    }

    struct Command: Sendable, Equatable {
        var topic: String
        var payload: PayloadTemplate
        var qos: QoS
        var isRetained: Bool
        var response: Response?
    }

    /// How a device says whether it took a command.
    struct Response: Sendable, Equatable {
        var topic: String
        /// Where the command's transaction comes back; `nil`: the next message answers.
        var transaction: JSONPointer?
        /// Where a refusal stands; an answer without it says yes.
        var error: JSONPointer?
    }

    /// Where a device says that it is there.
    struct Availability: Sendable, Equatable {
        var topic: String
        var pointer: JSONPointer?
        var online: String
        var offline: String
    }

    /// What makes a device report its state.
    struct Request: Sendable, Equatable {
        var topic: String
        var payload: [UInt8]
    }

    var settings: [Setting]
    var availability: Availability?
    var request: Request?
    /// How long to wait for a state, an answer or an acknowledgement.
    var timeout: Duration

    /// What to subscribe to, one group after the other: the availability first, so that its retained message is there
    /// before the device counts as connected.
    var topicGroups: [[String]] {
        let first = availability.map { [$0.topic] } ?? []
        let others = (settings.map(\.state?.topic) + settings.map(\.command?.response?.topic)).compactMap(\.self)
        return [first, others.reduce(into: []) { if !(first + $0).contains($1) { $0.append($1) } }]
    }

    /// The topics of states, for sentences.
    var stateTopics: String {
        settings.compactMap(\.state?.topic).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
            .joined(separator: ", ")
    }
}
