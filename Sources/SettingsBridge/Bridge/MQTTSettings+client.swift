package import MQTT

extension MQTTSettings {
    /// The connection as the client takes it, without a will.
    package var clientConfiguration: MQTTConfiguration {
        MQTTConfiguration(
            host: server.host, port: server.port, clientID: clientID, user: user, password: password,
            tls: server.isTLS
                ? TLSConfiguration(
                    ca: ca, certificate: cert, key: key, serverName: serverName, rejectUnauthorized: rejectUnauthorized)
                : nil,
            version: clientVersion, keepAlive: keepalive,
            sessionExpiryInterval: UInt32(clamping: sessionExpiry.components.seconds))
    }

    private var clientVersion: MQTTConfiguration.ProtocolVersionChoice {
        switch version {
        case .automatic: .automatic
        case .v5: .v5
        case .v311: .v311
        }
    }
}
