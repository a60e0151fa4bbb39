import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

/// What the bridge tells systemd. The test takes systemd's place: it has the socket.
@Suite(.timeLimit(.minutes(2)), .enabled(if: Broker.isAvailable)) struct SystemdTests {
    @Test(arguments: [false, true])
    func `start, connection, signs of life, reload and stop are told`(_ isAbstract: Bool) async throws {
        try await withBroker { broker in
            try await withFolder { folder in
                let file = folder.appending(path: "test.json")
                try Data(thermostat(port: broker.port).utf8).write(to: file)
                let name = folder.appending(path: "notify").path
                let socket = try NotifySocket(isAbstract ? "@" + name : name)
                let bridge = try ChildProcess(
                    "env",
                    [
                        "NOTIFY_SOCKET=\(socket.name)", "WATCHDOG_USEC=400000", Program.settings2mqtt.path, "run", "-c",
                        file.path,
                    ])
                try await socket.waitFor("READY=1")
                try await socket.waitFor("STATUS=connected with MQTT 5")
                try await socket.waitFor("WATCHDOG=1", count: 3)

                try Data(thermostat(port: broker.port, more: #""refresh_interval": 5,"#).utf8).write(to: file)
                bridge.signal(SIGHUP)
                try await socket.waitFor("READY=1", count: 2)
                let messages = socket.messages.filter {
                    $0.hasPrefix("RELOADING=1\nMONOTONIC_USEC=") || $0 == "READY=1"
                }
                #expect(messages.map { $0.prefix(5) } == ["READY", "RELOA", "READY"])

                bridge.signal(SIGTERM)
                try await socket.waitFor("STOPPING=1")
                #expect(try await bridge.end(within: .seconds(5)) == 0)
            }
        }
    }

    @Test func `a bridge that waits for its broker has started, and says what it waits for`() async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "test.json")
            try Data(thermostat(port: Broker.freePort()).utf8).write(to: file)
            let socket = try NotifySocket(folder.appending(path: "notify").path)
            let bridge = try ChildProcess(
                "env",
                [
                    "NOTIFY_SOCKET=\(socket.name)", "WATCHDOG_USEC=400000", "WATCHDOG_PID=1",
                    Program.settings2mqtt.path,
                    "run", "-c", file.path,
                ])
            try await socket.waitFor("READY=1")
            try await waitUntil("the status") {
                socket.messages.contains {
                    $0.hasPrefix("STATUS=no connection: nobody listens at 127.0.0.1:")
                        && $0.hasSuffix(" (connection refused)")
                }
            }
            bridge.signal(SIGTERM)
            #expect(try await bridge.end(within: .seconds(5)) == 0)
            #expect(!socket.messages.contains("WATCHDOG=1"), "the watchdog is for another process")
        }
    }

    @Test func `a main actor blocked for longer than the watchdog's time gives no sign of life`() async throws {
        try await withBroker { broker in
            try await withFolder { folder in
                let file = folder.appending(path: "test.json")
                let text = """
                    {
                      "mqtt": { "server": "mqtt://127.0.0.1:\(broker.port)", "base_topic": "stuck" },
                      "accessories": [{ "id": "bed", "refresh_interval": 0 }]
                    }
                    """
                try Data(text.utf8).write(to: file)
                let socket = try NotifySocket(folder.appending(path: "notify").path)
                let bridge = try ChildProcess(
                    "env",
                    [
                        "NOTIFY_SOCKET=\(socket.name)", "WATCHDOG_USEC=400000", Program.stubbornExtension.path, "run",
                        "-c",
                        file.path,
                    ])
                let subscriber = try await Subscriber(to: ["stuck/#"], on: broker)
                try await subscriber.waitFor(topic: "stuck/bed/availability", payload: "online")
                try await broker.publish(topic: "stuck/bed/nap/set", payload: "8")
                try await bridge.waitForLine("blocks the main actor")
                let before = socket.messages.count { $0 == "WATCHDOG=1" }
                // Five times as long as a sign of life takes to come.
                try await Task.sleep(for: .seconds(1))
                #expect(socket.messages.count { $0 == "WATCHDOG=1" } == before)
                try await bridge.waitForLine("the main actor is free again")
                try await socket.waitFor("WATCHDOG=1", count: before + 4)
            }
        }
    }
}

/// The socket of a service manager, and what came there.
private final class NotifySocket: Sendable {
    /// As `NOTIFY_SOCKET` has it: a path, or an abstract name behind an `@`.
    let name: String
    private let received = Mutex<[String]>([])
    private let descriptor: Int32

    /// What came so far. The system keeps what nobody has looked for yet, but not much of it.
    var messages: [String] {
        received.withLock { received in
            var buffer = [UInt8](repeating: 0, count: 4_096)
            while case let count = recv(descriptor, &buffer, buffer.count, 0), count > 0 {
                received.append(String(decoding: buffer[..<count], as: UTF8.self))
            }
            return received
        }
    }

    init(_ name: String) throws {
        self.name = name
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let path = name.hasPrefix("@") ? [0] + Array(name.utf8.dropFirst()) : Array(name.utf8) + [0]
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        let size = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
        }
        guard result == 0 else { throw SpawnError("can't bind \(name): \(String(cString: strerror(errno)))") }
    }

    deinit { close(descriptor) }

    func waitFor(_ message: String, count: Int = 1) async throws {
        try await waitUntil("\(count) × \(message) among \(Set(messages))", within: .seconds(30)) {
            messages.count { $0 == message } >= count
        }
    }
}
