extension MQTTSettings {
    /// The sweep's client appends 6 bytes to the client identifier, which MQTT limits to 65,535.
    private static let clientIDLimit = 65_529

    mutating func read(_ section: SectionReader) {
        readConnection(section)
        baseTopic = section.topic("base_topic") ?? baseTopic
        sessionExpiry =
            section.duration(
                "session_expiry", in: .zero...DurationLimits.week, allowsZero: true, wholeSeconds: true)
            ?? sessionExpiry
    }

    /// Reads what a client of any broker needs: all but the topic and the session of the bridge.
    package mutating func readConnection(_ section: SectionReader) {
        readServer(section)
        readVersion(section)
        readClientID(section)
        user = section.string("user")
        password = section.secret("password")
        checkPassword(section)
        readTLS(section)
        readKeepalive(section)
    }

    private mutating func readServer(_ section: SectionReader) {
        guard let text = section.string("server") else { return }
        do throws(ServerAddress.Problem) {
            server = try ServerAddress(parsing: text)
        } catch {
            section.fault(error.message, at: "server")
        }
    }

    private mutating func readVersion(_ section: SectionReader) {
        // zigbee2mqtt writes 4, the protocol level of 3.1.1.
        let words = Version.allCases.map(\.rawValue) + ["4"]
        guard let word = section.word("version", of: words, acceptsNumbers: true) else { return }
        version = Version(rawValue: word) ?? .v311
    }

    private mutating func readClientID(_ section: SectionReader) {
        guard let text = section.string("client_id") else { return }
        guard text.utf8.count <= Self.clientIDLimit else {
            section.fault("must not be longer than \(Self.clientIDLimit) bytes", at: "client_id")
            return
        }
        clientID = text
    }

    private func checkPassword(_ section: SectionReader) {
        if password != nil, !section.isPresent("user"), version != .v5 {
            section.fault("needs 'user': only MQTT 5 (\"version\": \"5\") knows a password alone", at: "password")
        }
        if let user, user.utf8.count > 65_535 { section.fault("must not be longer than 65,535 bytes", at: "user") }
    }

    private mutating func readTLS(_ section: SectionReader) {
        let isPlain = !server.isTLS && !section.isFaulty("server")
        // Without TLS the files play no part, so that they are not looked for.
        func file(_ key: String) -> String? { isPlain ? section.string(key) : section.readableFile(key) }
        ca = file("ca")
        cert = file("cert")
        key = file("key")
        serverName = section.string("server_name")
        rejectUnauthorized = section.boolean("reject_unauthorized") ?? rejectUnauthorized
        for name in ["ca", "cert", "key", "server_name"]
        where isPlain && section.isPresent(name) && !section.isFaulty(name) {
            section.fault("needs a server that begins with mqtts://", at: name)
        }
        if section.isPresent("cert"), !section.isFaulty("cert"), !section.isPresent("key") {
            section.fault("needs 'key', the certificate's private key", at: "cert")
        }
        if section.isPresent("key"), !section.isFaulty("key"), !section.isPresent("cert") {
            section.fault("needs 'cert', the key's certificate", at: "key")
        }
    }

    private mutating func readKeepalive(_ section: SectionReader) {
        let range = Duration.seconds(5)...Duration.seconds(65_535)
        guard let duration = section.duration("keepalive", in: range, allowsZero: true, wholeSeconds: true) else {
            return
        }
        keepalive = Int(duration.components.seconds)
    }
}
