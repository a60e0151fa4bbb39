import Foundation

/// A TCP port of the loopback interface that nobody listens on at the moment.
func freePort() throws(CommandFailure) -> Int {
    var port = 0
    let result = withLoopbackSocket(0) { socket, address, length in
        guard bind(socket, address, length) == 0 else { return -1 }
        var bound = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutableBytes(of: &bound) {
            getsockname(socket, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), &size)
        }
        port = Int(UInt16(bigEndian: bound.sin_port))
        return result
    }
    guard result == 0 else { throw .system("no free port was found") }
    return port
}

/// Whether somebody accepts connections on a TCP port of the loopback interface.
func isListening(_ port: Int) -> Bool {
    withLoopbackSocket(port) { connect($0, $1, $2) } == 0
}

/// - Returns: what the body returns, or -1 without a socket.
private func withLoopbackSocket(_ port: Int, _ body: (CInt, UnsafePointer<sockaddr>, socklen_t) -> CInt) -> CInt {
    let socket = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { return -1 }
    defer { close(socket) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(UInt16(port).bigEndian)
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    return withUnsafeBytes(of: &address) { bytes in
        guard let base = bytes.baseAddress else { return -1 }
        return body(socket, base.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
    }
}
