public import Foundation
internal import Glibc
internal import Synchronization

/// A mosquitto of one test: on a free loopback port, with a directory of its own.
public final class Broker: Sendable {
    public let port: Int
    /// For password files, certificates and the like; gone when the test is.
    public let directory: URL
    private let process: Mutex<ChildProcess?>
    private let earlierLines = Mutex<[String]>([])

    public var host: String { "127.0.0.1" }

    /// Whether tests can start brokers here. Where `CI` is set they must, so that a missing one fails.
    public static var isAvailable: Bool {
        isInstalled("mosquitto") || ProcessInfo.processInfo.environment["CI"] != nil
    }

    /// Lines the broker has logged so far, over all its starts.
    public var log: [String] {
        earlierLines.withLock { $0 } + (process.withLock { $0?.lines } ?? [])
    }

    /// - Parameters:
    ///   - configuration: lines for the broker's configuration file. `{directory}` stands for the broker's directory. Lines
    ///     about TLS and other listener options apply to the one listener.
    ///   - allowAnonymous: false where `configuration` names a password file.
    ///   - prepare: makes the files the configuration names.
    fileprivate init(
        configuration: String, allowAnonymous: Bool, prepare: (URL) async throws -> Void
    ) async throws {
        directory = FileManager.default.temporaryDirectory.appendingPathComponent("broker-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try await prepare(directory)
        let lines = configuration.replacing("{directory}", with: directory.path)
        for _ in 0..<20 {
            let port = try Self.freePort()
            let settings = """
                listener \(port) 127.0.0.1
                allow_anonymous \(allowAnonymous)
                log_dest stderr
                \(getuid() == 0 ? "user root" : "")
                log_type all
                connection_messages true
                \(lines)

                """
            try settings.write(
                to: directory.appendingPathComponent("mosquitto.conf"), atomically: true, encoding: .utf8)
            if let child = try await Self.launch(in: directory) {
                self.port = port
                process = Mutex(child)
                return
            }
        }
        throw SpawnError("found no port for mosquitto in 20 tries")
    }

    public var isRunning: Bool { process.withLock { $0 != nil } }

    /// Starts it again, on the same port, after `stop()`.
    public func start() async throws {
        guard process.withLock({ $0 == nil }) else { return }
        try await waitUntil("port \(port) to be free", within: .seconds(10)) {
            guard let child = try await Self.launch(in: directory) else { return false }
            process.withLock { $0 = child }
            return true
        }
    }

    /// Ends it as an operator would (SIGTERM).
    public func stop() { end { $0.terminate() } }

    /// Ends it without a goodbye (SIGKILL).
    public func crash() { end { $0.kill() } }

    /// Freezes it (SIGSTOP): it keeps its connections, the kernel accepts new ones, nothing is answered.
    public func pause() { signal(SIGSTOP) }
    public func resume() { signal(SIGCONT) }

    /// Makes it read its password and access files again (SIGHUP).
    public func reload() { signal(SIGHUP) }

    /// Waits until a line of the log contains the text.
    public func waitForLog(_ text: String, count: Int = 1, within limit: Duration = .seconds(30)) async throws {
        try await waitUntil("\(count) × \"\(text)\" in the broker's log", within: limit) {
            log.count { $0.contains(text) } >= count
        }
    }

    private func signal(_ number: Int32) {
        process.withLock { $0?.signal(number) }
    }

    private func end(_ how: (ChildProcess) -> Void) {
        guard let child = process.withLock({ $0.take() }) else { return }
        how(child)
        earlierLines.withLock { $0 += child.lines }
    }

    fileprivate func remove() {
        crash()
        try? FileManager.default.removeItem(at: directory)
    }

    /// - Returns: nil if the port was taken meanwhile.
    private static func launch(in directory: URL) async throws -> ChildProcess? {
        let path = isInPath ? "mosquitto" : "/usr/sbin/mosquitto"
        let child = try ChildProcess(path, ["-c", directory.appendingPathComponent("mosquitto.conf").path])
        func says(_ text: String) -> Bool { child.lines.contains { $0.contains(text) } }
        try await waitUntil("mosquitto to run; it says \(child.lines)") {
            says("running") || says("Address already in use") || child.hasEnded
        }
        if says("running") { return child }
        if says("Address already in use") { return nil }
        throw SpawnError("mosquitto ended: \(child.lines.joined(separator: " | "))")
    }

    private static var isInPath: Bool {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
            .contains { access("\($0)/mosquitto", X_OK) == 0 }
    }

    /// A port nobody had a moment ago. Somebody else may take it before the broker does; then another is tried.
    public static func freePort() throws -> Int {
        let (descriptor, port) = try boundSocket()
        close(descriptor)
        return port
    }
}

/// Runs the body with a broker of its own, which is gone afterwards, whatever happens.
public func withBroker<Result>(
    configuration: String = "", allowAnonymous: Bool = true, prepare: (URL) async throws -> Void = { _ in },
    _ body: (Broker) async throws -> Result
) async throws -> Result {
    let broker = try await Broker(configuration: configuration, allowAnonymous: allowAnonymous, prepare: prepare)
    defer { broker.remove() }
    return try await body(broker)
}
