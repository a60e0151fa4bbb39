import Foundation
import Glibc
import Synchronization
import TestSupport

@testable import DeviceProviders
@testable import SettingsBridge

/// A request as a stand-in received it.
struct ReceivedRequest: Sendable {
    var method: String
    var target: String
    var fields: [String: String]
    var body: [UInt8]
    /// Which of the stand-in's connections it came over, counted from 1.
    var connection = 0

    var line: String { "\(method) \(target)" }
    var path: String { String(target.prefix { $0 != "?" }) }
    var text: String { String(decoding: body, as: UTF8.self) }
    var json: JSONValue? { try? JSONValue.parse(body) }
    func field(_ name: String) -> String? { fields[name.lowercased()] }
    /// The pairs of the query, decoded.
    var query: [String: String] {
        let items = URLComponents(string: target)?.queryItems ?? []
        return Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
    }
}

/// What a stand-in does with a request.
struct Reply: Sendable {
    enum End { case keep, close, hang }

    /// Sent one after the other, with `pause` before each.
    var parts: [[UInt8]]
    var pause = Duration.zero
    var end = End.keep

    static func raw(_ text: String, end: End = .keep) -> Reply { Reply(parts: [Array(text.utf8)], end: end) }

    static func answer(
        _ status: Int, _ body: String = "", type: String = "application/json", fields: [String] = []
    ) -> Reply {
        let lines = ["HTTP/1.1 \(status) X", "Content-Type: \(type)", "Content-Length: \(body.utf8.count)"] + fields
        return .raw(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
    }

    static func json(_ body: String) -> Reply { answer(200, body) }
    static func json(_ body: JSONValue) -> Reply { answer(200, String(decoding: body.jsonBytes, as: UTF8.self)) }
    static let silence = Reply(parts: [], end: .hang)
    static let close = Reply(parts: [], end: .close)
}

/// A device on a free loopback port that records what it is asked and answers as the test says. One thread.
final class StandInServer: Sendable {
    let port: Int
    private let loop: Loop

    var url: String { "http://127.0.0.1:\(port)" }
    var requests: [ReceivedRequest] { loop.record.withLock { $0.requests } }
    /// How many requests it had at the same time, at most.
    var mostAtOnce: Int { loop.record.withLock { $0.mostAtOnce } }
    var connections: Int { loop.record.withLock { $0.connections } }
    /// How many clients have closed their connection.
    var closedByPeer: Int { loop.record.withLock { $0.closedByPeer } }

    init(_ answer: @escaping @Sendable (ReceivedRequest) -> Reply) throws {
        let listener: Int32
        (listener, port) = try boundSocket(Int32(SOCK_NONBLOCK.rawValue))
        guard listen(listener, 128) == 0 else { throw SpawnError("no port for a stand-in") }
        let loop = Loop(listener, answer)
        self.loop = loop
        Thread { loop.run() }.start()
    }

    deinit { loop.interruption.interrupt() }
}

/// A port of the loopback that refuses connections, for as long as this object lives.
final class ClosedPort: Sendable {
    let port: Int
    private let descriptor: Int32

    var url: String { "http://127.0.0.1:\(port)" }

    init() throws { (descriptor, port) = try boundSocket() }

    deinit { close(descriptor) }
}

/// The connections of a stand-in and what is recorded of them.
private final class Loop: Sendable {
    struct Record {
        var requests: [ReceivedRequest] = []
        var open = 0
        var mostAtOnce = 0
        var connections = 0
        var closedByPeer = 0
    }

    private struct Connection {
        let number: Int
        var received: [UInt8] = []
        var reply: Reply?
        var sending: ArraySlice<UInt8> = []
        var due = ContinuousClock.now
    }

    let record = Mutex(Record())
    let interruption = Interruption()
    private let listener: Int32
    private let answer: @Sendable (ReceivedRequest) -> Reply

    init(_ listener: Int32, _ answer: @escaping @Sendable (ReceivedRequest) -> Reply) {
        (self.listener, self.answer) = (listener, answer)
    }

    func run() {
        var connections: [Int32: Connection] = [:]
        defer { for descriptor in [listener] + connections.keys { close(descriptor) } }
        while true {
            var states = [pollfd(fd: listener, events: Int16(POLLIN), revents: 0)]
            states.append(pollfd(fd: interruption.descriptor, events: Int16(POLLIN), revents: 0))
            var wait = Duration.seconds(1)
            for (descriptor, connection) in connections {
                var events = Int16(POLLIN)
                if !connection.sending.isEmpty {
                    events |= Int16(POLLOUT)
                } else if connection.reply?.parts.isEmpty == false {
                    wait = min(wait, ContinuousClock.now.duration(to: connection.due))
                }
                states.append(pollfd(fd: descriptor, events: events, revents: 0))
            }
            poll(&states, UInt(states.count), Int32(max(0, wait / .milliseconds(1) + 1)))
            if states[1].revents != 0 { return }
            if states[0].revents != 0 { accept(&connections) }
            for state in states.dropFirst(2) {
                guard var connection = connections[state.fd] else { continue }
                let isOpen = serve(&connection, state)
                connections[state.fd] = isOpen ? connection : nil
                if !isOpen { close(state.fd) }
            }
        }
    }

    private func accept(_ connections: inout [Int32: Connection]) {
        let descriptor = Glibc.accept(listener, nil, nil)
        guard descriptor >= 0 else { return }
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        let number = record.withLock { record in
            record.connections += 1
            return record.connections
        }
        connections[descriptor] = Connection(number: number)
    }

    /// - Returns: whether the connection stays open.
    private func serve(_ connection: inout Connection, _ state: pollfd) -> Bool {
        if state.revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 {
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = recv(state.fd, &buffer, buffer.count, 0)
            if count > 0 { connection.received += buffer[..<count] }
            if count == 0 || (count < 0 && errno != EAGAIN) {
                record.withLock { $0.closedByPeer += 1 }
                if connection.reply != nil { record.withLock { $0.open -= 1 } }
                return false
            }
        }
        if connection.reply == nil, let request = take(&connection) {
            record.withLock { record in
                record.requests.append(request)
                record.open += 1
                record.mostAtOnce = max(record.mostAtOnce, record.open)
            }
            let reply = answer(request)
            connection.due = .now.advanced(by: reply.pause)
            connection.reply = reply
        }
        return send(&connection, state.fd)
    }

    private func send(_ connection: inout Connection, _ descriptor: Int32) -> Bool {
        while let reply = connection.reply {
            if connection.sending.isEmpty {
                guard !reply.parts.isEmpty else {
                    if reply.end == .hang { return true }
                    record.withLock { $0.open -= 1 }
                    connection.reply = nil
                    return reply.end == .keep
                }
                guard connection.due <= .now else { return true }
                connection.sending = connection.reply?.parts.removeFirst()[...] ?? []
                connection.due = .now.advanced(by: reply.pause)
            }
            let count = connection.sending.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count >= 0 else { return errno == EAGAIN }
            connection.sending = connection.sending.dropFirst(count)
        }
        return true
    }

    /// The next whole request of what was received.
    private func take(_ connection: inout Connection) -> ReceivedRequest? {
        guard let end = connection.received.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let head = String(decoding: connection.received[..<end.lowerBound], as: UTF8.self)
        let lines = head.components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ")
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            fields[parts[0].lowercased()] = parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
        }
        let length = Int(fields["content-length"] ?? "0") ?? 0
        guard words.count == 3, connection.received.count - end.upperBound >= length else { return nil }
        let body = Array(connection.received[end.upperBound..<(end.upperBound + length)])
        connection.received.removeFirst(end.upperBound + length)
        return ReceivedRequest(
            method: String(words[0]), target: String(words[1]), fields: fields, body: body,
            connection: connection.number)
    }
}
