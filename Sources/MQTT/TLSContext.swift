internal import CMosquitto
internal import Glibc

/// The OpenSSL context of one connection, and what OpenSSL said about the broker's certificate. Must outlive the
/// connection.
final class TLSContext {
    /// On the heap, because OpenSSL's callback writes to it.
    private let tls: UnsafeMutablePointer<mqtt_tls>

    var raw: UnsafeMutableRawPointer? { tls.pointee.context }

    init(_ configuration: TLSConfiguration, host: String) throws(MQTTError) {
        let memory = UnsafeMutablePointer<mqtt_tls>.allocate(capacity: 1)
        memory.initialize(to: mqtt_tls())
        let name = configuration.serverName ?? host
        let step = mqtt_tls_open(
            memory, configuration.ca, configuration.certificate, configuration.key, name, Self.isAddress(name),
            configuration.rejectUnauthorized)
        guard step == MQTT_TLS_READY else {
            let reason = Self.text(memory.pointee.report.reason)
            mqtt_tls_close(memory)
            memory.deallocate()
            throw .configuration(Self.sentence(for: step, reason: reason, configuration))
        }
        tls = memory
    }

    deinit {
        mqtt_tls_close(tls)
        tls.deallocate()
    }

    /// Why the broker's certificate was not accepted, if it was not.
    func verificationFailure(endpoint: String, name: String) -> MQTTConnectionFailure? {
        let report = tls.pointee.report
        guard report.error != 0 else { return nil }
        return MQTTConnectionFailure.certificate(
            error: report.error, reason: Self.text(report.reason), endpoint: endpoint, name: name,
            names: Self.text(report.names), issuer: Self.text(report.issuer), validFrom: Self.text(report.not_before),
            validUntil: Self.text(report.not_after))
    }

    private static func sentence(for step: mqtt_tls_step, reason: String, _ configuration: TLSConfiguration) -> String {
        switch step {
        case MQTT_TLS_CA:
            configuration.ca.map { "cannot use '\($0)' as the file of trusted certificates (ca): \(reason)" }
                ?? "cannot load the system's trusted certificates: \(reason)"
        case MQTT_TLS_CERTIFICATE:
            "cannot use '\(configuration.certificate ?? "")' as the client's certificate (cert): \(reason)"
        case MQTT_TLS_KEY:
            "cannot use '\(configuration.key ?? "")' as the client's private key (key): \(reason)"
        case MQTT_TLS_KEY_DOES_NOT_FIT:
            "the private key '\(configuration.key ?? "")' does not belong to the certificate "
                + "'\(configuration.certificate ?? "")'"
        default: "TLS is not available: libmosquitto came without OpenSSL"
        }
    }

    private static func isAddress(_ name: String) -> Bool {
        var bytes = in6_addr()
        return inet_pton(AF_INET, name, &bytes) == 1 || inet_pton(AF_INET6, name, &bytes) == 1
    }

    /// The text in a C array of characters, which Swift sees as a tuple.
    private static func text<Characters>(_ characters: Characters) -> String {
        withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
