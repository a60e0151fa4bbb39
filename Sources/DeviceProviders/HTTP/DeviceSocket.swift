import Glibc

/// A TCP connection to a device, with TLS where it is asked for. Used by one request at a time.
final class DeviceSocket: Sendable {
    private let descriptor: Int32
    private let tls: TLSStream?

    /// Connects to the first of the host's addresses that accepts.
    init(to origin: HTTPOrigin, tls settings: TLSSettings?, during request: RequestClock) throws(HTTPFailure) {
        let descriptor = try Self.connect(to: origin, during: request)
        do throws(HTTPFailure) {
            tls = try settings.map { settings throws(HTTPFailure) in
                try Self.secure(descriptor, settings, host: origin.host, during: request)
            }
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Whether the connection is open and silent, as one that waits for its next request must be.
    var isIdle: Bool {
        var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&state, 1, 0) == 0
    }

    func write(_ bytes: [UInt8], during request: RequestClock) throws(HTTPFailure) {
        guard let tls else { return try Self.send(bytes, descriptor, during: request) }
        try tls.write(bytes)
        try Self.flush(tls, descriptor, during: request)
    }

    /// The next bytes; none when the device has closed the connection.
    func read(during request: RequestClock) throws(HTTPFailure) -> ArraySlice<UInt8> {
        guard let tls else { return try Self.receive(descriptor, during: request) }
        while true {
            if let bytes = try tls.read() { return bytes }
            try Self.exchange(tls, descriptor, during: request)
        }
    }

    // MARK: TLS

    private static func secure(
        _ descriptor: Int32, _ settings: TLSSettings, host: String, during request: RequestClock
    ) throws(HTTPFailure) -> TLSStream {
        let stream = try TLSStream(settings, host: host)
        while try !stream.handshake() { try exchange(stream, descriptor, during: request) }
        try flush(stream, descriptor, during: request)
        return stream
    }

    /// Sends what OpenSSL has to send, then gives it what comes next.
    private static func exchange(
        _ tls: TLSStream, _ descriptor: Int32, during request: RequestClock
    ) throws(HTTPFailure) {
        try flush(tls, descriptor, during: request)
        let bytes = try receive(descriptor, during: request)
        if bytes.isEmpty { tls.receiveEnd() } else { tls.receive(bytes) }
    }

    private static func flush(
        _ tls: TLSStream, _ descriptor: Int32, during request: RequestClock
    ) throws(HTTPFailure) {
        let bytes = tls.bytesToSend()
        if !bytes.isEmpty { try send(bytes, descriptor, during: request) }
    }

    // MARK: Sockets

    private static func connect(
        to origin: HTTPOrigin, during request: RequestClock
    ) throws(HTTPFailure) -> Int32 {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_ADDRCONFIG | AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        let result = getaddrinfo(origin.host, String(origin.port), &hints, &list)
        guard result == 0 else { throw .unknownHost(String(cString: gai_strerror(result))) }
        defer { freeaddrinfo(list) }
        try request.check()
        var failure = HTTPFailure.unknownHost("it has none")
        var next = list
        while let address = next?.pointee {
            next = address.ai_next
            do throws(HTTPFailure) {
                // An address that keeps silent must leave time for the others.
                return try connect(to: address, during: next == nil ? request : request.half)
            } catch {
                try request.check()
                failure = error
            }
        }
        throw failure
    }

    private static func connect(to address: addrinfo, during request: RequestClock) throws(HTTPFailure) -> Int32 {
        let kind = address.ai_socktype | Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(address.ai_family, kind, address.ai_protocol)
        guard descriptor >= 0 else { throw .unreachable(systemError()) }
        do throws(HTTPFailure) {
            if Glibc.connect(descriptor, address.ai_addr, address.ai_addrlen) != 0 {
                guard errno == EINPROGRESS else { throw .unreachable(systemError()) }
                try request.wait(for: Int16(POLLOUT), on: descriptor)
                var code: Int32 = 0
                var size = socklen_t(MemoryLayout<Int32>.size)
                getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
                guard code == 0 else { throw .unreachable(systemError(code)) }
            }
            var on: Int32 = 1
            setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
            return descriptor
        } catch {
            close(descriptor)
            throw error
        }
    }

    private static func send(
        _ bytes: [UInt8], _ descriptor: Int32, during request: RequestClock
    ) throws(HTTPFailure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                try request.wait(for: Int16(POLLOUT), on: descriptor)
            } else if errno != EINTR {
                // A device that has refused early says so in its answer, which is there to be read.
                if errno == EPIPE || errno == ECONNRESET { return }
                throw .broken(systemError())
            }
        }
    }

    private static func receive(
        _ descriptor: Int32, during request: RequestClock
    ) throws(HTTPFailure) -> ArraySlice<UInt8> {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count >= 0 { return buffer[..<count] }
            switch errno {
            case EAGAIN: try request.wait(for: Int16(POLLIN), on: descriptor)
            case EINTR: continue
            case ECONNRESET: return []
            default: throw .broken(systemError())
            }
        }
    }

    private static func systemError(_ code: Int32 = errno) -> String {
        String(cString: strerror(code))
    }
}
