public import Foundation

/// Certificates for TLS tests, made with the `openssl` program. All files are in one directory, as PEM.
public struct Certificates: Sendable {
    public struct Pair: Sendable {
        public let certificate: URL
        public let key: URL
    }

    private let directory: URL

    /// Makes a directory of its own in `directory`.
    public init(in directory: URL) throws {
        self.directory = directory.appendingPathComponent("certificates-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: self.directory, withIntermediateDirectories: true)
    }

    /// A certificate authority that signs others.
    public func authority(named name: String) async throws -> Pair {
        let pair = files(name)
        try await run(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "30",
                "-subj", "/CN=\(name)", "-addext", "basicConstraints=critical,CA:TRUE", "-addext",
                "keyUsage=keyCertSign,cRLSign",
                "-keyout", pair.key.path, "-out", pair.certificate.path,
            ])
        return pair
    }

    /// A certificate signed by the authority.
    /// - Parameters:
    ///   - names: the names it is valid for, as in `DNS:broker.example` and `IP:127.0.0.1`.
    ///   - expired: whether its time was over in the year 2021.
    public func server(_ file: String, signedBy authority: Pair, names: [String], expired: Bool = false) async throws
        -> Pair
    {
        let pair = files(file)
        let request = directory.appendingPathComponent("\(file).csr")
        try await run(
            "openssl",
            [
                "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj",
                "/CN=\(file)",
                "-keyout", pair.key.path, "-out", request.path,
            ])
        // `openssl ca` is the one command of OpenSSL 3.0 that takes dates. It wants a database.
        let settings = directory.appendingPathComponent("\(file).conf")
        let database = directory.appendingPathComponent("\(file).index")
        try """
        [ca]
        default_ca = here
        [here]
        new_certs_dir = \(directory.path)
        database = \(database.path)
        rand_serial = yes
        default_md = sha256
        unique_subject = no
        policy = any
        x509_extensions = server
        [any]
        commonName = supplied
        [server]
        basicConstraints = critical,CA:FALSE
        authorityKeyIdentifier = keyid
        \(names.isEmpty ? "" : "subjectAltName = \(names.joined(separator: ","))")
        """.write(to: settings, atomically: true, encoding: .utf8)
        try Data().write(to: database)
        let validity =
            expired ? ["-startdate", "20210101000000Z", "-enddate", "20210601000000Z"] : ["-days", "30"]
        try await run(
            "openssl",
            [
                "ca", "-batch", "-notext", "-config", settings.path, "-cert", authority.certificate.path,
                "-keyfile", authority.key.path, "-in", request.path, "-out", pair.certificate.path,
            ] + validity)
        return pair
    }

    private func files(_ name: String) -> Pair {
        Pair(
            certificate: directory.appendingPathComponent("\(name).crt"),
            key: directory.appendingPathComponent("\(name).key"))
    }
}
