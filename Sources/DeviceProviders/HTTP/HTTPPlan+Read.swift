import AccessorySettings
import MQTT
import SettingsBridge

extension HTTPPlan {
    /// The most bytes of an answer, unless the configuration says something else.
    static let defaultLimit = 10_000_000

    /// Reads a `provider` section of type `http`; `nil` when a fault was reported that leaves no plan.
    init?(reading section: SectionReader, accessory: AccessoryConfiguration) {
        let address = Self.readAddress(section)
        let tls = Self.readTLS(section, isTLS: address?.origin.isTLS)
        // A little before the bridge gives up, so that people read which request got no answer.
        let timeout =
            section.duration("timeout", in: .milliseconds(1)...Duration.seconds(600)) ?? accessory.timeout * 0.9
        let limit = section.integer("limit", in: 1_000...100_000_000) ?? Self.defaultLimit
        let authentication = HTTPAuthentication.read(section)
        let sessionField = section.string("session_header")
        if let sessionField, !sessionField.isFieldName {
            section.fault("must be the name of a header: letters, digits and -", at: "session_header")
        }
        let secrets = Self.readSecrets(section)
        let reader = HTTPRequestReader(
            origin: address?.origin.description ?? "", path: address?.path ?? "", secrets: secrets,
            headers: section.section("headers", namesAreFree: true))
        let readsSection = section.section("reads", namesAreFree: true)
        let reads = readsSection.presentKeys.compactMap { name -> Read? in
            if name.contains("#") { readsSection.fault("must not contain #", at: name) }
            return reader.read(readsSection.section(name), allowsValue: false).map { Read(name: name, request: $0) }
        }
        let joinsWrites = section.boolean("write_together") ?? false
        let accesses = readSettings(section) { settingSection, setting in
            Access(
                setting: setting, place: Place.read(settingSection, of: setting, among: readsSection.presentKeys),
                write: reader.readWrite(settingSection, of: setting))
        }
        guard let address else { return nil }
        self.init(
            origin: address.origin, tls: tls, timeout: timeout, limit: limit, authentication: authentication,
            sessionField: sessionField, secrets: secrets, reads: reads, joinsWrites: joinsWrites,
            accesses: accesses.map(\.own))
    }

    private static func readAddress(_ section: SectionReader) -> (origin: HTTPOrigin, path: String)? {
        guard let text = section.string("url", required: true) else { return nil }
        do throws(HTTPOrigin.Problem) {
            return try HTTPOrigin.parse(text)
        } catch {
            section.fault(error.message, at: "url")
            return nil
        }
    }

    /// - Parameter isTLS: `nil` when the address is not known.
    private static func readTLS(_ section: SectionReader, isTLS: Bool?) -> TLSSettings? {
        let file = section.readableFile("ca")
        let fingerprint = section.string("fingerprint")
        if isTLS == false {
            for (key, value) in [("ca", file), ("fingerprint", fingerprint)] where value != nil {
                section.fault("needs a url that begins with https://", at: key)
            }
        }
        guard isTLS == true else { return nil }
        if OpenSSL.shared == nil {
            section.fault("https:// is not possible here: libmosquitto, which brings TLS along, has none", at: "url")
        }
        if file != nil, fingerprint != nil {
            section.fault(
                "can't stand beside 'ca': a certificate is accepted by the one or by the other", at: "fingerprint")
        }
        guard let fingerprint else { return file.map { .authority(file: $0) } ?? .system }
        let digits = fingerprint.lowercased().replacing(":", with: "")
        if digits.wholeMatch(of: #/[0-9a-f]{64}/#) == nil {
            section.fault("must be the certificate's SHA-256 in 64 hexadecimal digits", at: "fingerprint")
        }
        return .fingerprint(digits)
    }

    private static func readSecrets(_ section: SectionReader) -> [String: Secret] {
        let secrets = section.section("secrets", namesAreFree: true)
        var found: [String: Secret] = [:]
        for name in secrets.presentKeys {
            if name == TemplateValues.valueName {
                secrets.fault("is the name of the value that is written; choose another", at: name)
            } else if name.wholeMatch(of: #/[A-Za-z_][A-Za-z0-9_]*/#) == nil {
                secrets.fault("must be a name of letters, digits and _", at: name)
            }
            found[name] = secrets.secret(name)
        }
        return found
    }
}

extension HTTPPlan.Place {
    /// `"read": "config#/device/eco_mode"` or `"read": { "from": "config", "pointer": "/device/eco_mode" }`
    fileprivate static func read(
        _ section: SectionReader, of setting: DeclaredSetting, among reads: [String]
    ) -> HTTPPlan.Place? {
        var place: (from: String, pointer: JSONPointer)?
        if section.holdsObject("read") {
            let place1 = section.section("read")
            let from = place1.string("from", required: true)
            let pointer = place1.pointer("pointer", required: true)
            if let from, !reads.contains(from) { place1.fault(unknown(from, reads), at: "from") }
            if let from, let pointer { place = (from, pointer) }
        } else if let text = section.string("read") {
            let from = String(text.prefix { $0 != "#" })
            let pointer = JSONPointer(String(text.dropFirst(from.count + 1)))
            if !reads.contains(from) { section.fault(unknown(from, reads), at: "read") }
            if pointer == nil {
                section.fault("must have a JSON Pointer behind the #, as in \"config#/device/eco_mode\"", at: "read")
            }
            place = pointer.map { (from, $0) }
        } else if !setting.isSecret, setting.defaultValue == nil, !section.hasFaults {
            section.fault("is missing: where the value is read, as in \"config#/device/eco_mode\"", at: "read")
        }
        let isOptional = section.boolean("optional") ?? false
        return place.map { HTTPPlan.Place(from: $0.from, pointer: $0.pointer, isOptional: isOptional) }
    }

    private static func unknown(_ name: String, _ reads: [String]) -> String {
        reads.isEmpty
            ? "names no read; 'reads' is empty" : "must name one of the reads: \(reads.joined(separator: ", "))"
    }
}

extension HTTPAuthentication {
    /// `"auth": { "type": "digest", "user": "admin", "password": { "env": "LAMP_PASSWORD" } }`
    fileprivate static func read(_ provider: SectionReader) -> HTTPAuthentication? {
        guard let section = provider.optionalSection("auth") else { return nil }
        let type = section.word("type", of: ["basic", "digest", "bearer"], required: true)
        let user = section.string("user")
        let password = section.secret("password")
        let token = section.secret("token")
        guard let type, !section.hasFaults else { return nil }
        if type == "bearer" {
            for (key, isPresent) in [("user", user != nil), ("password", password != nil)] where isPresent {
                section.fault("does not belong to bearer, which takes 'token'", at: key)
            }
            if token == nil { section.fault("is missing", at: "token") }
            if let token, !token.reveal(\.isFieldValue) {
                section.fault("must not contain control characters", at: "token")
            }
            return token.map { .bearer(token: $0) }
        }
        if token != nil { section.fault("belongs to bearer; \(type) takes 'user' and 'password'", at: "token") }
        if user == nil { section.fault("is missing", at: "user") }
        if password == nil { section.fault("is missing", at: "password") }
        if user?.contains(":") == true { section.fault("must not contain a colon", at: "user") }
        guard let user, let password else { return nil }
        if type == "basic" { return .basic(user: user, password: password) }
        if OpenSSL.shared == nil {
            section.fault("digest is not possible here: libmosquitto came without OpenSSL", at: "type")
        }
        return .digest(user: user, password: password)
    }
}
