internal import CMosquitto
internal import Glibc

// The network thread's part: one step of reading, writing and keeping the connection alive.
extension Session {
    /// What the network thread polls for next.
    struct Interest {
        var wantsWrite: Bool
        /// When something times out, if anything waits.
        var deadline: ContinuousClock.Instant?
    }

    enum Step {
        case goOn(Interest)
        case ended(MQTTConnectionFailure)
    }

    var socket: CInt { mosquitto_socket(handle) }

    /// - Parameter mayRead: false while the inbox is full. Then nothing is read, and so the keepalive, which needs the
    ///   answers, is not judged either.
    func step(readable: Bool, hungUp: Bool, mayRead: Bool, now: ContinuousClock.Instant) -> Step {
        var errorNumber: CInt = 0
        var result = MOSQ_ERR_SUCCESS.rawValue
        if mayRead, readable || hungUp {
            // A burst is read in small batches: one packet at a time would cost a wait and a turn of the lock for each, many
            // would keep publishers waiting.
            for _ in 0..<8 {
                result = mqtt_read(handle, &errorNumber)
                if result != MOSQ_ERR_SUCCESS.rawValue || errorNumber == EAGAIN || socket < 0 { break }
            }
            // During a TLS handshake the library takes a reset connection for one that needs patience.
            if result == MOSQ_ERR_SUCCESS.rawValue, hungUp, connection == nil, socket >= 0, isResetByPeer {
                result = MOSQ_ERR_CONN_LOST.rawValue
            }
        }
        if result == MOSQ_ERR_SUCCESS.rawValue, socket >= 0, hasUnsentPackets {
            errno = 0
            result = mosquitto_loop_write(handle, 1)
            errorNumber = errno
        }
        if result == MOSQ_ERR_SUCCESS.rawValue, socket >= 0, mayRead {
            result = mosquitto_loop_misc(handle)
        }
        guard result == MOSQ_ERR_SUCCESS.rawValue, socket >= 0 else {
            return .ended(failure(result: result, errorNumber: errorNumber))
        }
        if collectsLibraryErrors, connection != nil {
            // With a callback the library words a line for each packet.
            mosquitto_log_callback_set(handle, nil)
            collectsLibraryErrors = false
        }
        answers.expire(now: now)
        flushes.expire(now: now)
        return .goOn(
            Interest(
                wantsWrite: hasUnsentPackets,
                deadline: [answers.nextDeadline, flushes.nextDeadline].compactMap(\.self).min()))
    }

    func takeCollected() -> [MQTTMessage] {
        guard !collected.isEmpty else { return [] }
        defer { collected = [] }
        return collected
    }

    /// Sends DISCONNECT, so that the broker drops the will.
    /// - Returns: whether the socket took all of it.
    func sayGoodbye() -> Bool {
        if mosquitto_disconnect(handle) != MOSQ_ERR_SUCCESS.rawValue { return true }
        return socket < 0 || !hasUnsentPackets
    }

    /// Nothing of this connection will be answered any more.
    func end() {
        connection = nil
        answers.failAll()
        flushes.finish(ledger.count == 0)
    }

    private var isResetByPeer: Bool {
        var byte: UInt8 = 0
        let count = recv(socket, &byte, 1, CInt(MSG_PEEK | MSG_DONTWAIT))
        return count == 0 || (count < 0 && errno != EAGAIN)
    }

    /// Why the attempt or the connection ended, from what the library's last call returned.
    func failure(result: CInt, errorNumber: CInt) -> MQTTConnectionFailure {
        if let refusal { return .refused(code: refusal, version: version, by: configuration) }
        if let connection {
            if result == MOSQ_ERR_SUCCESS.rawValue, let disconnectCode, disconnectCode != 0 {
                return .disconnected(
                    reason: MQTTReasonCode(rawValue: UInt8(clamping: disconnectCode)), from: configuration)
            }
            return .lost(result: result, errorNumber: errorNumber, connection: connection, to: configuration)
        }
        // The broker's objection to the client's certificate comes after the handshake (TLS 1.3), as an alert.
        if lastLibraryError?.contains("alert") == true { return handshakeFailure() }
        switch result {
        case MOSQ_ERR_TLS.rawValue: return handshakeFailure()
        case MOSQ_ERR_ERRNO.rawValue where errorNumber == EPROTO && lastLibraryError != nil: return handshakeFailure()
        case MOSQ_ERR_SUCCESS.rawValue, MOSQ_ERR_CONN_LOST.rawValue, MOSQ_ERR_NO_CONN.rawValue,
            MOSQ_ERR_ERRNO.rawValue where [0, ECONNRESET, EPIPE, EPROTO].contains(errorNumber):
            return .closedBeforeAnswer(by: configuration)
        case MOSQ_ERR_KEEPALIVE.rawValue:
            return .noAnswer(within: .seconds(configuration.keepAlive), from: configuration)
        default:
            let nothing = MQTTConnection(protocolVersion: version)
            return .lost(result: result, errorNumber: errorNumber, connection: nothing, to: configuration)
        }
    }
}
