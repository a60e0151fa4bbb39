import MQTT
import SettingsBridge

/// What the configuration says about a device that speaks HTTP.
struct HTTPPlan: Sendable {
    struct Read: Sendable {
        var name: String
        var request: HTTPRequestTemplate
    }

    /// Where a setting's value stands in an answer.
    struct Place: Sendable, Equatable {
        /// The name of the read.
        var from: String
        var pointer: JSONPointer
        /// Whether it may be missing.
        var isOptional: Bool
    }

    struct Access: Sendable {
        var setting: DeclaredSetting
        var place: Place?
        var write: HTTPRequestTemplate?
    }

    var origin: HTTPOrigin
    var tls: TLSSettings?
    /// How long one request may take, with all its repetitions.
    var timeout: Duration
    /// The most bytes that an answer may have.
    var limit: Int
    var authentication: HTTPAuthentication?
    /// The field in which the device hands out a token with a refusal.
    var sessionField: String?
    var secrets: [String: Secret]
    var reads: [Read]
    var joinsWrites: Bool
    var accesses: [Access]
}
