import AccessorySettings
import Foundation
import TestSupport
import Testing

@testable import DeviceProviders
@testable import SettingsBridge

/// Against `openssl s_server`, which serves the files of its folder.
@MainActor @Suite("Devices over HTTPS", .enabled(if: isInstalled("openssl"))) struct HTTPSTests {
    private static let provider = """
        "reads": { "all": { "path": "/all.json" } }, "settings": { "x": { "kind": "information", "read": "all#/x" } }
        """

    private func withServer(
        names: [String] = ["DNS:localhost", "IP:127.0.0.1"],
        _ body: (_ port: Int, _ authority: Certificates.Pair, _ certificate: Certificates.Pair) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "https-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try #"{"x":"über TLS"}"#.write(to: folder.appending(path: "all.json"), atomically: true, encoding: .utf8)
        let certificates = try Certificates(in: folder)
        let authority = try await certificates.authority(named: "Test authority")
        let pair = try await certificates.server("device", signedBy: authority, names: names)
        for _ in 0..<20 {
            let port = try Broker.freePort()
            // The shell gives it a folder of its own to serve from.
            let server = try ChildProcess(
                "sh",
                [
                    "-c", "cd \"$0\" && exec openssl s_server -accept \"127.0.0.1:$1\" -cert \"$2\" -key \"$3\" -WWW",
                    folder.path, "\(port)", pair.certificate.path, pair.key.path,
                ])
            defer { server.kill() }
            try await waitUntil("openssl s_server to listen or to end") {
                server.hasEnded || server.lines.contains("ACCEPT")
            }
            guard !server.hasEnded else { continue }
            return try await body(port, authority, pair)
        }
        throw SpawnError("openssl s_server found no port")
    }

    private func fingerprint(_ certificate: URL) async throws -> String {
        let process = try ChildProcess(
            "openssl", ["x509", "-in", certificate.path, "-noout", "-fingerprint", "-sha256"])
        try await waitUntil("the fingerprint") { process.hasEnded }
        return String(try #require(process.lines.first).split(separator: "=")[1])
    }

    @Test func acceptsWhatTheAuthoritySigned() async throws {
        try await withServer { port, authority, _ in
            let accessory = try HTTPAccessory(
                "https://127.0.0.1:\(port)", #""ca": "\#(authority.certificate.path)","# + Self.provider)
            for _ in 0..<2 { #expect(try await accessory.read() == ["x": .text("über TLS")]) }
        }
    }

    @Test func acceptsThePinnedCertificateWhateverItsName() async throws {
        try await withServer(names: ["DNS:elsewhere.example"]) { port, _, certificate in
            let pin = try await fingerprint(certificate.certificate)
            let accessory = try HTTPAccessory(
                "https://127.0.0.1:\(port)", #""fingerprint": "\#(pin)","# + Self.provider)
            #expect(try await accessory.read() == ["x": .text("über TLS")])
            let wrong = String(repeating: "0", count: 64)
            let failure = try await HTTPAccessory(
                "https://127.0.0.1:\(port)", #""fingerprint": "\#(wrong)","# + Self.provider
            ).readFailure()
            let found = pin.replacing(":", with: "").lowercased()
            #expect(
                failure?.description
                    == "GET https://127.0.0.1:\(port)/all.json (all) failed: the device's certificate is not accepted: its "
                    + "SHA-256 fingerprint is \(found), not \(wrong)")
        }
    }

    @Test func refusesWhatNobodySigned() async throws {
        try await withServer { port, _, _ in
            let failure = try await HTTPAccessory("https://127.0.0.1:\(port)", Self.provider).readFailure()
            let start =
                "GET https://127.0.0.1:\(port)/all.json (all) failed: the device's certificate is not accepted: "
            #expect(failure?.description.hasPrefix(start) == true, "\(failure?.description ?? "read")")
            #expect(failure?.mayPass == false)
        }
    }

    @Test(arguments: ["127.0.0.1", "localhost"]) func refusesACertificateForAnotherHost(_ host: String) async throws {
        try await withServer(names: ["DNS:elsewhere.example"]) { port, authority, _ in
            let failure = try await HTTPAccessory(
                "https://\(host):\(port)", #""ca": "\#(authority.certificate.path)","# + Self.provider
            )
            .readFailure()
            #expect(
                failure?.description.lowercased().contains(
                    host == "localhost" ? "hostname mismatch" : "ip address mismatch")
                    == true, "\(failure?.description ?? "read")")
        }
    }

    @Test func aDeviceWithoutTLSIsNamed() async throws {
        let device = try StandInServer { _ in .json("1") }
        let failure = try await HTTPAccessory(
            "https://127.0.0.1:\(device.port)", #""timeout": "300ms","# + Self.provider
        )
        .readFailure()
        #expect(failure != nil)
    }
}
