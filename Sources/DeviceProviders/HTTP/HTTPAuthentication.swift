import Foundation
import MQTT

/// How a device knows us.
enum HTTPAuthentication: Sendable, Equatable {
    case basic(user: String, password: Secret)
    case digest(user: String, password: Secret)
    case bearer(token: Secret)

    /// The value of the field `Authorization`.
    ///
    /// - Parameter challenge: what a device asked for last, where that matters.
    /// - Returns: `nil` when the device must ask first.
    func authorization(for message: HTTPMessage, challenge: DigestChallenge?) -> String? {
        switch self {
        case .basic(let user, let password): "Basic " + Self.credentials(user, password)
        case .bearer(let token): token.reveal { "Bearer \($0)" }
        case .digest(let user, let password):
            challenge.flatMap { challenge in
                password.reveal { challenge.answer(method: message.method, target: message.target, user, $0) }
            }
        }
    }

    /// Everything that must not show up in a fault.
    var secrets: [String] {
        switch self {
        case .basic(let user, let password): [password.reveal { $0 }, Self.credentials(user, password)]
        case .digest(_, let password): [password.reveal { $0 }]
        case .bearer(let token): [token.reveal { $0 }]
        }
    }

    private static func credentials(_ user: String, _ password: Secret) -> String {
        password.reveal { Data("\(user):\($0)".utf8).base64EncodedString() }
    }
}
