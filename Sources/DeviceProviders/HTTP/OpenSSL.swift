import Glibc

/// The functions of OpenSSL that libmosquitto brings into the process, looked up at run time, so that building needs
/// nothing more than it does for MQTT.
///
/// `@unchecked`: constants all, and functions of a library that may be called from any thread.
struct OpenSSL: @unchecked Sendable {
    typealias Object = OpaquePointer

    /// `nil` where libmosquitto was built without TLS.
    static let shared = try? OpenSSL()

    let newContext: @convention(c) (Object?) -> Object?
    let freeContext: @convention(c) (Object?) -> Void
    let clientMethod: @convention(c) () -> Object?
    let useSystemCertificates: @convention(c) (Object?) -> CInt
    let useCertificates: @convention(c) (Object?, UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> CInt
    let setVerification: @convention(c) (Object?, CInt, UnsafeRawPointer?) -> Void
    let newConnection: @convention(c) (Object?) -> Object?
    let freeConnection: @convention(c) (Object?) -> Void
    let control: @convention(c) (Object?, CInt, CLong, UnsafeMutableRawPointer?) -> CLong
    let contextControl: @convention(c) (Object?, CInt, CLong, UnsafeMutableRawPointer?) -> CLong
    let setBuffers: @convention(c) (Object?, Object?, Object?) -> Void
    let beAClient: @convention(c) (Object?) -> Void
    let handshake: @convention(c) (Object?) -> CInt
    let read: @convention(c) (Object?, UnsafeMutableRawPointer?, CInt) -> CInt
    let write: @convention(c) (Object?, UnsafeRawPointer?, CInt) -> CInt
    let error: @convention(c) (Object?, CInt) -> CInt
    let verification: @convention(c) (Object?) -> CLong
    let verificationText: @convention(c) (CLong) -> UnsafePointer<CChar>?
    let parameters: @convention(c) (Object?) -> Object?
    let expectName: @convention(c) (Object?, UnsafePointer<CChar>?, Int) -> CInt
    let expectAddress: @convention(c) (Object?, UnsafePointer<CChar>?) -> CInt
    let certificate: @convention(c) (Object?) -> Object?
    let freeCertificate: @convention(c) (Object?) -> Void
    let fingerprint:
        @convention(c) (Object?, Object?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<CUnsignedInt>?) -> CInt
    let memory: @convention(c) () -> Object?
    let newBuffer: @convention(c) (Object?) -> Object?
    let bufferRead: @convention(c) (Object?, UnsafeMutableRawPointer?, CInt) -> CInt
    let bufferWrite: @convention(c) (Object?, UnsafeRawPointer?, CInt) -> CInt
    let bufferControl: @convention(c) (Object?, CInt, CLong, UnsafeMutableRawPointer?) -> CLong
    let digest:
        @convention(c) (
            UnsafeRawPointer?, Int, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<CUnsignedInt>?, Object?, Object?
        ) -> CInt
    let md5: @convention(c) () -> Object?
    let sha256: @convention(c) () -> Object?
    let lastError: @convention(c) () -> CUnsignedLong
    let clearErrors: @convention(c) () -> Void
    let errorText: @convention(c) (CUnsignedLong) -> UnsafePointer<CChar>?

    private init() throws {
        newContext = try Self.find("SSL_CTX_new")
        freeContext = try Self.find("SSL_CTX_free")
        clientMethod = try Self.find("TLS_client_method")
        useSystemCertificates = try Self.find("SSL_CTX_set_default_verify_paths")
        useCertificates = try Self.find("SSL_CTX_load_verify_locations")
        setVerification = try Self.find("SSL_CTX_set_verify")
        newConnection = try Self.find("SSL_new")
        freeConnection = try Self.find("SSL_free")
        control = try Self.find("SSL_ctrl")
        contextControl = try Self.find("SSL_CTX_ctrl")
        setBuffers = try Self.find("SSL_set_bio")
        beAClient = try Self.find("SSL_set_connect_state")
        handshake = try Self.find("SSL_do_handshake")
        read = try Self.find("SSL_read")
        write = try Self.find("SSL_write")
        error = try Self.find("SSL_get_error")
        verification = try Self.find("SSL_get_verify_result")
        verificationText = try Self.find("X509_verify_cert_error_string")
        parameters = try Self.find("SSL_get0_param")
        expectName = try Self.find("X509_VERIFY_PARAM_set1_host")
        expectAddress = try Self.find("X509_VERIFY_PARAM_set1_ip_asc")
        certificate = try Self.find("SSL_get1_peer_certificate", "SSL_get_peer_certificate")
        freeCertificate = try Self.find("X509_free")
        fingerprint = try Self.find("X509_digest")
        memory = try Self.find("BIO_s_mem")
        newBuffer = try Self.find("BIO_new")
        bufferRead = try Self.find("BIO_read")
        bufferWrite = try Self.find("BIO_write")
        bufferControl = try Self.find("BIO_ctrl")
        digest = try Self.find("EVP_Digest")
        md5 = try Self.find("EVP_md5")
        sha256 = try Self.find("EVP_sha256")
        lastError = try Self.find("ERR_peek_last_error")
        clearErrors = try Self.find("ERR_clear_error")
        errorText = try Self.find("ERR_reason_error_string")
    }

    private struct Missing: Error {}

    /// The first of these names that the process has; versions of OpenSSL differ.
    private static func find<Function>(_ names: String...) throws -> Function {
        for name in names {
            // Without a handle the whole process is searched.
            if let symbol = dlsym(nil, name) { return unsafeBitCast(symbol, to: Function.self) }
        }
        throw Missing()
    }
}

extension OpenSSL {
    enum Hash {
        case md5, sha256
    }

    /// In lowercase hexadecimal digits; `nil` where the system forbids the algorithm.
    func hash(_ text: String, _ algorithm: Hash) -> String? {
        var output = [UInt8](repeating: 0, count: 64)
        var count: CUnsignedInt = 0
        let bytes = Array(text.utf8)
        let result = digest(bytes, bytes.count, &output, &count, algorithm == .md5 ? md5() : sha256(), nil)
        return result == 1 ? Self.hexadecimal(output[..<Int(count)]) : nil
    }

    static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// OpenSSL's words for the last thing that went wrong on this thread.
    var lastProblem: String {
        errorText(lastError()).map { String(cString: $0) } ?? "no reason given"
    }
}
