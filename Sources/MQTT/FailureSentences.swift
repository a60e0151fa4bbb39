internal import CMosquitto
internal import Glibc

// The sentences of `MQTTConnectionFailure`. Each names the broker; none can contain a password, for none is given one.
extension MQTTConnectionFailure {
    /// `mosquitto_connect` failed: `errorNumber` is the system's, or getaddrinfo's.
    static func connecting(result: CInt, errorNumber: CInt, to configuration: MQTTConfiguration) -> Self {
        let endpoint = configuration.endpoint
        switch result {
        case MOSQ_ERR_EAI.rawValue:
            let reason = String(cString: gai_strerror(errorNumber))
            return errorNumber == EAI_NONAME
                ? Self(.unknownHost, "no such host '\(configuration.host)'")
                : Self(.unknownHost, "cannot look up host '\(configuration.host)': \(reason.lowercased())")
        case MOSQ_ERR_ERRNO.rawValue where errorNumber == ECONNREFUSED:
            return Self(.nobodyListens, "nobody listens at \(endpoint) (connection refused)")
        case MOSQ_ERR_ERRNO.rawValue:
            let reason = String(cString: strerror(errorNumber)).lowercased()
            return Self(.unreachable, "cannot reach the broker at \(endpoint): \(reason)")
        default:
            return Self(.other, "cannot connect to \(endpoint): \(String(cString: mosquitto_strerror(result)))")
        }
    }

    /// The broker answered CONNECT with something else than yes.
    static func refused(code: Int, version: MQTTProtocolVersion, by configuration: MQTTConfiguration) -> Self {
        let endpoint = configuration.endpoint
        let whom = configuration.user.map { "user '\($0)'" } ?? "the connection without a user name"
        switch (version, code) {
        case (_, 132):
            return Self(
                .unsupportedVersion, reason: .unsupportedProtocolVersion,
                "the broker at \(endpoint) does not speak MQTT 5")
        case (.v311, 1):
            return Self(.unsupportedVersion, "the broker at \(endpoint) does not speak MQTT 3.1.1 (return code 1)")
        case (.v311, 2):
            return Self(
                .refused,
                "the broker at \(endpoint) does not accept the client id '\(configuration.clientID)' (return code 2)")
        case (.v311, 3):
            return Self(.refused, "the broker at \(endpoint) says it is unavailable (return code 3)")
        case (.v311, 4):
            return Self(
                .badCredentials, "the broker at \(endpoint) refused \(whom): bad user name or password (return code 4)")
        case (.v311, 5):
            return Self(
                .badCredentials,
                "the broker at \(endpoint) refused \(whom): not authorised, or bad user name or password (return code 5)"
            )
        case (.v311, _):
            return Self(.refused, "the broker at \(endpoint) refused the connection (return code \(code))")
        case (.v5, 134):
            return Self(
                .badCredentials, reason: .badUserNameOrPassword,
                "the broker at \(endpoint) refused \(whom): bad user name or password (reason 134)")
        case (.v5, 135):
            return Self(
                .badCredentials, reason: .notAuthorized,
                "the broker at \(endpoint) refused \(whom): not authorised, or bad user name or password (reason 135)")
        case (.v5, _):
            let reason = MQTTReasonCode(rawValue: UInt8(clamping: code))
            return Self(.refused, reason: reason, "the broker at \(endpoint) refused the connection: \(reason)")
        }
    }

    /// The broker ended an established connection with a DISCONNECT (MQTT 5).
    static func disconnected(reason: MQTTReasonCode, from configuration: MQTTConfiguration) -> Self {
        let endpoint = configuration.endpoint
        switch reason {
        case .sessionTakenOver:
            return Self(
                .takenOver, reason: reason,
                "another client took over the client id '\(configuration.clientID)' at \(endpoint) (reason 142): two clients must not use the same one"
            )
        case .serverShuttingDown:
            return Self(.serverShuttingDown, reason: reason, "the broker at \(endpoint) is shutting down (reason 139)")
        default:
            return Self(.connectionLost, reason: reason, "the broker at \(endpoint) ended the connection: \(reason)")
        }
    }

    static func noAnswer(within limit: Duration, from configuration: MQTTConfiguration) -> Self {
        Self(
            .noAnswer,
            "the broker at \(configuration.endpoint) accepted the connection, but gave no answer to CONNECT within \(limit.words)"
        )
    }

    static func closedBeforeAnswer(by configuration: MQTTConfiguration) -> Self {
        let hint =
            switch configuration.tls {
            case nil: " (is this a port for TLS?)"
            case let tls? where tls.certificate == nil: " (does it demand a client certificate?)"
            default: ""
            }
        return Self(
            .closedBeforeAnswer,
            "the broker at \(configuration.endpoint) closed the connection instead of answering CONNECT\(hint)")
    }

    /// An established connection ended with a result of the library's.
    static func lost(result: CInt, errorNumber: CInt, connection: MQTTConnection, to configuration: MQTTConfiguration)
        -> Self
    {
        let endpoint = configuration.endpoint
        switch result {
        case MOSQ_ERR_KEEPALIVE.rawValue:
            return Self(
                .keepAliveTimeout,
                "the broker at \(endpoint) went silent: no answer to a ping within the keepalive of \(connection.keepAlive) s"
            )
        case MOSQ_ERR_CONN_LOST.rawValue, MOSQ_ERR_SUCCESS.rawValue, MOSQ_ERR_NO_CONN.rawValue:
            return Self(.connectionLost, "the broker at \(endpoint) closed the connection")
        case MOSQ_ERR_ERRNO.rawValue:
            let reason = String(cString: strerror(errorNumber)).lowercased()
            return Self(.connectionLost, "the connection to the broker at \(endpoint) broke: \(reason)")
        case MOSQ_ERR_PROTOCOL.rawValue, MOSQ_ERR_MALFORMED_PACKET.rawValue:
            return Self(.protocolError, "the broker at \(endpoint) sent something that is not MQTT, or broke its rules")
        default:
            return Self(
                .connectionLost,
                "the connection to the broker at \(endpoint) broke: \(String(cString: mosquitto_strerror(result)))")
        }
    }

    /// Not every broker says that another client took over; being thrown out again and again right after connecting tells.
    static func suspectedTakeOver(at configuration: MQTTConfiguration) -> Self {
        Self(
            .takenOver,
            "the broker at \(configuration.endpoint) closes the connection soon after each connect: perhaps another client uses the client id '\(configuration.clientID)'"
        )
    }

    /// The broker's certificate was not accepted. `error` is OpenSSL's, times are in UTC.
    static func certificate(
        error: CInt, reason: String, endpoint: String, name: String, names: String, issuer: String, validFrom: String,
        validUntil: String
    ) -> Self {
        switch error {
        case 62, 64:
            let offered = names.isEmpty ? "names no host at all" : "is for \(names)"
            return Self(
                .certificateNameMismatch,
                "the certificate of the broker at \(endpoint) is for another name: asked for \(name), the certificate \(offered)"
            )
        case 10:
            return Self(
                .certificateExpired, "the certificate of the broker at \(endpoint) expired on \(validUntil) UTC")
        case 9:
            return Self(
                .certificateExpired, "the certificate of the broker at \(endpoint) is not valid before \(validFrom) UTC"
            )
        case 2, 7, 18, 19, 20, 21, 27:
            let by = issuer.isEmpty ? "an unknown issuer" : "'\(issuer)'"
            return Self(
                .certificateNotTrusted,
                "the certificate of the broker at \(endpoint) is not trusted: it was issued by \(by), which is not among the trusted certificates (\(reason))"
            )
        default:
            return Self(.tls, "the certificate of the broker at \(endpoint) was not accepted: \(reason)")
        }
    }

    /// The handshake failed for a reason other than the certificate's; `detail` is OpenSSL's line.
    static func handshake(_ detail: String?, with configuration: MQTTConfiguration) -> Self {
        let reason = detail.map { $0.split(separator: ":").last.map(String.init) ?? $0 } ?? "no reason given"
        let hint = reason == "wrong version number" ? " (is this a port for TLS?)" : ""
        return Self(.tls, "no TLS connection to the broker at \(configuration.endpoint): \(reason)\(hint)")
    }
}

extension Duration {
    /// `10 s`, `0.5 s`.
    var words: String {
        let seconds = Double(components.seconds) + Double(components.attoseconds) / 1e18
        return seconds == seconds.rounded() ? "\(Int(seconds)) s" : "\(seconds) s"
    }
}
