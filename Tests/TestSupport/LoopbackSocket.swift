import Glibc

/// A TCP socket on a free port of the loopback interface, which does not listen yet.
///
/// - Parameter options: of `socket`, as in `SOCK_NONBLOCK`.
public func boundSocket(_ options: Int32 = 0) throws -> (descriptor: Int32, port: Int) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | options, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
            bind(descriptor, pointer, size) == 0 ? getsockname(descriptor, pointer, &size) : -1
        }
    }
    guard result == 0 else {
        close(descriptor)
        throw SpawnError("no free port on 127.0.0.1")
    }
    return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
}
