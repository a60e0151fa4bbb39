import Foundation
import Glibc
import Synchronization
import TestSupport

/// A TCP server that answers CONNECT as a test wants, for what mosquitto doesn't do.
final class FakeBroker: Sendable {
    enum Reply: Sendable {
        case send([UInt8])
        case close
        case silence
    }

    let port: Int
    private let listener: Int32
    private let seen = Mutex<[UInt8]>([])

    /// Protocol levels of the CONNECT packets so far: 5, or 4 for 3.1.1.
    var levels: [UInt8] { seen.withLock { $0 } }

    /// - Parameter reply: what to do after a CONNECT with this protocol level. What is sent stays connected.
    init(reply: @escaping @Sendable (_ level: UInt8) -> Reply) throws {
        let (listener, port) = try boundSocket()
        guard listen(listener, 8) == 0 else { throw SpawnError("no port for a broker") }
        self.port = port
        self.listener = listener
        let thread = Thread { [weak self] in
            while case let connection = accept(listener, nil, nil), connection >= 0 {
                // Fixed header, length, 00 04 "MQTT", level: the level is the ninth byte of a short CONNECT.
                var bytes = [UInt8](repeating: 0, count: 1_024)
                guard recv(connection, &bytes, bytes.count, 0) > 8 else {
                    close(connection)
                    continue
                }
                let level = bytes[8]
                self?.seen.withLock { $0.append(level) }
                switch reply(level) {
                case .send(let answer): _ = send(connection, answer, answer.count, Int32(MSG_NOSIGNAL))
                case .close: close(connection)
                case .silence: break
                }
            }
        }
        thread.start()
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }
}
