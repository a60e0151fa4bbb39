import Glibc

/// What makes a device's certificate good.
enum TLSSettings: Sendable, Equatable {
    /// Signed by an authority that the system trusts, and valid for the host.
    case system
    /// Signed by a certificate of this file (PEM), and valid for the host.
    case authority(file: String)
    /// The certificate with this SHA-256, in lowercase hexadecimal digits, whoever signed it and for whichever host.
    case fingerprint(String)
}

/// TLS over bytes: knows nothing of sockets.
///
/// `@unchecked`: made, used and freed by one request after the other, never by two at a time (see ``HTTPClient``).
final class TLSStream: @unchecked Sendable {
    private let library: OpenSSL
    private let context: OpenSSL.Object
    private let connection: OpenSSL.Object
    /// What came from the device, and what is to be sent to it. The connection frees both.
    private let input: OpenSSL.Object
    private let output: OpenSSL.Object
    private let settings: TLSSettings

    init(_ settings: TLSSettings, host: String) throws(HTTPFailure) {
        guard let library = OpenSSL.shared else { throw .certificate("TLS is not available here") }
        library.clearErrors()
        context = try Self.makeContext(settings, library)
        let verifyPeer: CInt = 1
        let verifyNothing: CInt = 0
        if case .fingerprint = settings {
            library.setVerification(context, verifyNothing, nil)
        } else {
            library.setVerification(context, verifyPeer, nil)
        }
        guard let connection = library.newConnection(context), let input = library.newBuffer(library.memory()),
            let output = library.newBuffer(library.memory())
        else {
            library.freeContext(context)
            throw .broken("out of memory")
        }
        (self.library, self.connection, self.input, self.output) = (library, connection, input, output)
        self.settings = settings
        library.setBuffers(connection, input, output)
        library.beAClient(connection)
        expect(host)
    }

    deinit {
        library.freeConnection(connection)
        library.freeContext(context)
    }

    private static func makeContext(
        _ settings: TLSSettings, _ library: OpenSSL
    ) throws(HTTPFailure) -> OpenSSL.Object {
        guard let context = library.newContext(library.clientMethod()) else { throw .broken(library.lastProblem) }
        let setMinimum: CInt = 123
        let tls12 = 0x0303
        _ = library.contextControl(context, setMinimum, tls12, nil)
        var loaded: CInt = 1
        switch settings {
        case .system: loaded = library.useSystemCertificates(context)
        case .authority(let file): loaded = library.useCertificates(context, file, nil)
        case .fingerprint: break
        }
        guard loaded == 1 else {
            library.freeContext(context)
            throw .certificate("the certificates to trust can't be loaded: \(library.lastProblem)")
        }
        return context
    }

    private func expect(_ host: String) {
        let parameters = library.parameters(connection)
        var bytes = in6_addr()
        if inet_pton(AF_INET, host, &bytes) == 1 || inet_pton(AF_INET6, host, &bytes) == 1 {
            _ = library.expectAddress(parameters, host)
            return
        }
        _ = library.expectName(parameters, host, 0)
        let setServerName: CInt = 55
        _ = host.withCString { library.control(connection, setServerName, 0, UnsafeMutableRawPointer(mutating: $0)) }
    }

    // MARK: Talking

    /// - Returns: whether the handshake is complete; if not, bytes must be exchanged first.
    func handshake() throws(HTTPFailure) -> Bool {
        library.clearErrors()
        let result = library.handshake(connection)
        guard result == 1 else {
            guard try isWaiting(result) else { throw .closed(afterBytes: 0) }
            return false
        }
        if case .fingerprint(let expected) = settings { try compare(expected) }
        return true
    }

    func write(_ bytes: [UInt8]) throws(HTTPFailure) {
        library.clearErrors()
        guard !bytes.isEmpty else { return }
        let result = library.write(connection, bytes, CInt(bytes.count))
        // Into memory, everything is written at once.
        guard result == CInt(bytes.count) else { throw .broken(library.lastProblem) }
    }

    /// What the device sent; none at the end; `nil` when bytes must be exchanged first.
    func read() throws(HTTPFailure) -> ArraySlice<UInt8>? {
        library.clearErrors()
        var buffer = [UInt8](repeating: 0, count: 16_384)
        let result = library.read(connection, &buffer, CInt(buffer.count))
        if result > 0 { return buffer[..<Int(result)] }
        return try isWaiting(result) ? nil : []
    }

    func receive(_ bytes: ArraySlice<UInt8>) {
        _ = bytes.withUnsafeBytes { library.bufferWrite(input, $0.baseAddress, CInt($0.count)) }
    }

    /// The device closed the connection: from now on an empty buffer is the end, not a reason to wait.
    func receiveEnd() {
        let setEndOfFile: CInt = 130
        _ = library.bufferControl(input, setEndOfFile, 0, nil)
    }

    func bytesToSend() -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = library.bufferRead(output, &buffer, CInt(buffer.count))
            guard count > 0 else { return bytes }
            bytes += buffer[..<Int(count)]
        }
    }

    /// - Returns: whether it needs more bytes; if not, the connection is at its end.
    private func isWaiting(_ result: CInt) throws(HTTPFailure) -> Bool {
        enum Reason { static let problem: CInt = 1, wantsToRead: CInt = 2, wantsToWrite: CInt = 3 }
        switch library.error(connection, result) {
        case Reason.wantsToRead, Reason.wantsToWrite: return true
        case Reason.problem:
            // A pinned certificate is not verified, so that there is always something to complain about.
            let code = if case .fingerprint = settings { 0 } else { library.verification(connection) }
            if code != 0, let text = library.verificationText(code) { throw .certificate(String(cString: text)) }
            let problem = library.lastProblem
            if problem == "unexpected eof while reading" { return false }
            throw .broken("TLS: \(problem)")
        default: return false
        }
    }

    private func compare(_ expected: String) throws(HTTPFailure) {
        let certificate = library.certificate(connection)
        defer { library.freeCertificate(certificate) }
        var hash = [UInt8](repeating: 0, count: 64)
        var count: CUnsignedInt = 0
        guard certificate != nil, library.fingerprint(certificate, library.sha256(), &hash, &count) == 1 else {
            throw .certificate("the device has none")
        }
        let found = OpenSSL.hexadecimal(hash[..<Int(count)])
        guard found == expected else { throw .certificate("its SHA-256 fingerprint is \(found), not \(expected)") }
    }
}
