import Foundation
import MQTT
import Synchronization
import TestSupport
import Testing

@Suite(.enabled(if: Broker.isAvailable), .timeLimit(.minutes(1)))
struct TLSTests {
    /// What a test's broker and clients need.
    private struct Setting: Sendable {
        var certificates: Certificates
        var ca: Certificates.Pair
        var stranger: Certificates.Pair
    }

    /// Runs a broker that speaks TLS with a certificate for these names.
    private func withTLSBroker(
        names: [String], expired: Bool = false, configuration: String = "",
        _ body: (Broker, Setting) async throws -> Void
    ) async throws {
        var setting: Setting?
        let prepare = { (directory: URL) in
            let certificates = try Certificates(in: directory)
            let ca = try await certificates.authority(named: "Test CA")
            setting = Setting(
                certificates: certificates, ca: ca, stranger: try await certificates.authority(named: "Another CA"))
            try await Self.install(
                certificates.server("server", signedBy: ca, names: names, expired: expired), in: directory)
            try FileManager.default.copyItem(at: ca.certificate, to: directory.appendingPathComponent("ca.crt"))
        }
        let files = "certfile {directory}/server.crt\nkeyfile {directory}/server.key\n"
        try await withBroker(configuration: files + configuration, prepare: prepare) { broker in
            try await body(broker, try #require(setting))
        }
    }

    private static func install(_ pair: Certificates.Pair, in directory: URL) throws {
        for (file, name) in [(pair.certificate, "server.crt"), (pair.key, "server.key")] {
            try Data(contentsOf: file).write(to: directory.appendingPathComponent(name))
        }
    }

    private func configuration(
        _ broker: Broker, ca: URL, serverName: String? = nil, rejectUnauthorized: Bool = true
    ) -> MQTTConfiguration {
        var configuration = MQTTConfiguration(host: broker.host, port: broker.port, clientID: "test")
        configuration.tls = TLSConfiguration(
            ca: ca.path, serverName: serverName, rejectUnauthorized: rejectUnauthorized)
        return configuration
    }

    @Test func aTrustedCertificateConnectsAndCarriesMessages() async throws {
        try await withTLSBroker(names: ["IP:127.0.0.1"]) { broker, setting in
            try await withClient(configuration(broker, ca: setting.ca.certificate)) { harness in
                try await harness.waitUntilConnected()
                try await harness.client.subscribe([MQTTSubscription(filter: "t")])
                for _ in 0..<200 { _ = try harness.client.publish(MQTTMessage(topic: "t", payload: "x")) }
                #expect(await harness.client.flush(within: .seconds(10)))
                try await waitUntil("the messages") { harness.messages.count == 200 }
            }
        }
    }

    @Test("O18 (a): a certificate for another name says which was asked for and which it is for")
    func nameMismatch() async throws {
        try await withTLSBroker(names: ["DNS:broker.example", "DNS:*.lan"]) { broker, setting in
            try await withClient(configuration(broker, ca: setting.ca.certificate)) { harness in
                let failure = try await harness.waitForFailure()
                #expect(failure.kind == .certificateNameMismatch)
                #expect(
                    failure.description
                        == "the certificate of the broker at 127.0.0.1:\(broker.port) is for another name: "
                        + "asked for 127.0.0.1, the certificate is for broker.example, *.lan")
            }
            #expect(!broker.log.contains { $0.contains("CONNECT") })
        }
    }

    @Test("O18 (b): a certificate of an unknown issuer is not trusted")
    func notTrusted() async throws {
        try await withTLSBroker(names: ["DNS:broker.example"]) { broker, setting in
            try await withClient(configuration(broker, ca: setting.stranger.certificate)) { harness in
                let failure = try await harness.waitForFailure()
                #expect(failure.kind == .certificateNotTrusted)
                #expect(
                    failure.description.contains("was issued by 'Test CA', which is not among the trusted certificates")
                )
            }
            #expect(!broker.log.contains { $0.contains("CONNECT") })
        }
    }

    @Test("O18 (c): an expired certificate says since when, and a new one is accepted")
    func expired() async throws {
        try await withTLSBroker(names: ["DNS:broker.example"], expired: true) { broker, setting in
            try await withClient(configuration(broker, ca: setting.ca.certificate)) { harness in
                let failure = try await harness.waitForFailure()
                #expect(failure.kind == .certificateExpired)
                #expect(failure.description.hasSuffix("expired on 2021-06-01 00:00:00 UTC"))
                #expect(!broker.log.contains { $0.contains("CONNECT") })
                broker.stop()
                try await Self.install(
                    setting.certificates.server("new", signedBy: setting.ca, names: ["IP:127.0.0.1"]),
                    in: broker.directory)
                try await broker.start()
                try await harness.waitUntilConnected(within: .seconds(30))
            }
        }
    }

    @Test func anotherNameCanBeAskedFor() async throws {
        try await withTLSBroker(names: ["DNS:broker.example"]) { broker, setting in
            let named = configuration(broker, ca: setting.ca.certificate, serverName: "broker.example")
            try await withClient(named) { try await $0.waitUntilConnected() }
        }
    }

    @Test func rejectUnauthorizedFalseTakesAnyCertificate() async throws {
        try await withTLSBroker(names: ["DNS:broker.example"], expired: true) { broker, setting in
            let trusting = configuration(broker, ca: setting.stranger.certificate, rejectUnauthorized: false)
            try await withClient(trusting) { try await $0.waitUntilConnected() }
        }
    }

    @Test func aClientCertificateIsShown() async throws {
        let demanding = "cafile {directory}/ca.crt\nrequire_certificate true\nuse_identity_as_username true"
        try await withTLSBroker(names: ["IP:127.0.0.1"], configuration: demanding) { broker, setting in
            var configuration = configuration(broker, ca: setting.ca.certificate)
            try await withClient(configuration) { harness in
                // OpenSSL's alert says so, unless the broker's closing the connection overtakes it.
                let failure = try await harness.waitForFailure()
                #expect(
                    failure.description.contains("certificate required") || failure.kind == .closedBeforeAnswer,
                    "\(failure)")
            }
            let pair = try await setting.certificates.server("client", signedBy: setting.ca, names: [])
            configuration.tls?.certificate = pair.certificate.path
            configuration.tls?.key = pair.key.path
            try await withClient(configuration) { try await $0.waitUntilConnected() }
        }
    }

    @Test func aPortWithoutTLSIsNamedAsThat() async throws {
        try await withBroker { broker in
            let certificates = try Certificates(in: broker.directory)
            let ca = try await certificates.authority(named: "Test CA")
            try await withClient(configuration(broker, ca: ca.certificate)) { harness in
                let failure = try await harness.waitForFailure()
                #expect([.tls, .closedBeforeAnswer].contains(failure.kind))
            }
            #expect(!broker.log.contains { $0.contains("CONNECT") })
        }
    }

    @Test func filesThatCannotBeUsedAreReportedBeforeConnecting() async throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: directory) }
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let certificates = try Certificates(in: directory)
        let ca = try await certificates.authority(named: "Test CA")
        let other = try await certificates.authority(named: "Another CA")
        let garbage = directory.appendingPathComponent("garbage.pem")
        try Data("no certificate".utf8).write(to: garbage)
        let missing = directory.appendingPathComponent("missing.pem").path

        func sentence(_ tls: TLSConfiguration) -> String {
            var configuration = MQTTConfiguration(host: "localhost", clientID: "test")
            configuration.tls = tls
            do {
                try configuration.validate()
                return "fine"
            } catch {
                return error.description
            }
        }
        #expect(sentence(TLSConfiguration()) == "fine")
        #expect(
            sentence(TLSConfiguration(ca: ca.certificate.path, certificate: ca.certificate.path, key: ca.key.path))
                == "fine")
        #expect(
            sentence(TLSConfiguration(ca: missing))
                == "cannot read the file of the trusted certificates (ca) '\(missing)': No such file or directory")
        #expect(
            sentence(TLSConfiguration(ca: garbage.path)).hasPrefix(
                "cannot use '\(garbage.path)' as the file of trusted certificates (ca): "))
        #expect(
            sentence(TLSConfiguration(certificate: ca.certificate.path))
                == "a client certificate needs both its file (cert) and its private key (key)")
        #expect(
            sentence(TLSConfiguration(certificate: ca.certificate.path, key: garbage.path)).hasPrefix(
                "cannot use '\(garbage.path)' as the client's private key (key): "))
        #expect(
            sentence(TLSConfiguration(certificate: ca.certificate.path, key: other.key.path))
                == "the private key '\(other.key.path)' does not belong to the certificate '\(ca.certificate.path)'")
    }
}
