import Foundation
import Synchronization

/// A request as it goes over the wire.
struct HTTPMessage: Sendable, Equatable {
    var method: String
    /// With the query, percent-encoded.
    var target: String
    /// Names and values without line ends.
    var fields: [HTTPAnswer.Field] = []
    var body: [UInt8]?

    func bytes(to origin: HTTPOrigin) -> [UInt8] {
        var head = "\(method) \(target.isEmpty ? "/" : target) HTTP/1.1\r\n"
        let defaults = [
            HTTPAnswer.Field(name: "Host", value: origin.authority),
            HTTPAnswer.Field(name: "User-Agent", value: "settings2mqtt"),
            HTTPAnswer.Field(name: "Accept", value: "application/json, */*;q=0.5"),
            HTTPAnswer.Field(name: "Accept-Encoding", value: "identity"),
        ]
        for field in defaults where !fields.contains(where: { $0.name.lowercased() == field.name.lowercased() }) {
            head += "\(field.name): \(field.value)\r\n"
        }
        for field in fields { head += "\(field.name): \(field.value)\r\n" }
        if body != nil || method != "GET" { head += "Content-Length: \(body?.count ?? 0)\r\n" }
        return Array((head + "\r\n").utf8) + (body ?? [])
    }
}

/// Talks HTTP/1.1 with one device over a connection that is kept between requests. Its caller sends one request at a
/// time.
final class HTTPClient: Sendable {
    private let origin: HTTPOrigin
    private let tls: TLSSettings?
    /// The most bytes that the body of an answer may have.
    private let limit: Int
    /// The connection while no request uses it.
    private let idle = Mutex<DeviceSocket?>(nil)

    init(_ origin: HTTPOrigin, tls: TLSSettings?, limit: Int) {
        (self.origin, self.tls, self.limit) = (origin, tls, limit)
    }

    /// Sends a request and waits for the whole answer.
    ///
    /// It returns at once when its task is cancelled, whatever the device and the resolver do.
    ///
    /// - Throws: ``HTTPFailure``, or `CancellationError`.
    func send(_ message: HTTPMessage, within limit: Duration) async throws -> HTTPAnswer {
        let exchange = Exchange()
        let clock = RequestClock(limit: limit, interruption: exchange.interruption)
        // The resolver keeps no time.
        let alarm = Task {
            try await Task.sleep(for: limit)
            exchange.giveUp(HTTPFailure.timedOut(limit))
        }
        defer { alarm.cancel() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard exchange.begin(continuation) else { return }
                // Waiting for a device takes a thread, but none of those that others need to go on.
                let thread = Thread { [self] in
                    exchange.finish(Result { () throws(HTTPFailure) in try perform(message, clock) }.mapError { $0 })
                }
                thread.stackSize = 512 << 10
                thread.start()
            }
        } onCancel: {
            exchange.giveUp(CancellationError())
        }
    }

    private func perform(_ message: HTTPMessage, _ clock: RequestClock) throws(HTTPFailure) -> HTTPAnswer {
        let bytes = message.bytes(to: origin)
        if let kept = idle.withLock({ $0.take() }), kept.isIdle {
            do throws(HTTPFailure) {
                return try perform(bytes, on: kept, clock)
            } catch {
                // Most likely the device closed it in the moment of our request. But it may have carried it out, and a
                // change must not be made twice.
                guard error == .closed(afterBytes: 0), message.method == "GET" else { throw error }
            }
        }
        return try perform(bytes, on: DeviceSocket(to: origin, tls: tls, during: clock), clock)
    }

    private func perform(
        _ bytes: [UInt8], on socket: DeviceSocket, _ clock: RequestClock
    ) throws(HTTPFailure) -> HTTPAnswer {
        try socket.write(bytes, during: clock)
        var reader = HTTPAnswerReader(limit: limit)
        while true {
            try clock.check()
            let received = try socket.read(during: clock)
            if received.isEmpty { try reader.end() } else { try reader.append(received) }
            if let answer = reader.completed {
                if reader.keepsConnection, !received.isEmpty { idle.withLock { $0 = socket } }
                return answer
            }
        }
    }
}

/// One request between the task that waits for it and the thread that carries it out: the first result counts.
private final class Exchange: Sendable {
    private struct State {
        var continuation: CheckedContinuation<HTTPAnswer, any Error>?
        var result: Result<HTTPAnswer, any Error>?
    }

    let interruption = Interruption()
    private let state = Mutex(State())

    /// - Returns: whether the request is still wanted.
    func begin(_ continuation: CheckedContinuation<HTTPAnswer, any Error>) -> Bool {
        let result = state.withLock { state in
            if state.result == nil { state.continuation = continuation }
            return state.result
        }
        if let result { continuation.resume(with: result) }
        return result == nil
    }

    func finish(_ result: Result<HTTPAnswer, any Error>) {
        let continuation = state.withLock { state -> CheckedContinuation<HTTPAnswer, any Error>? in
            guard state.result == nil else { return nil }
            state.result = result
            return state.continuation.take()
        }
        continuation?.resume(with: result)
    }

    func giveUp(_ reason: any Error) {
        finish(.failure(reason))
        interruption.interrupt()
    }
}
