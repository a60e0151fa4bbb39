import Foundation
import Glibc
import SettingsBridge

/// Tells systemd how the process fares, where it was started by a unit of `Type=notify` (see sd_notify(3)): datagrams to
/// the socket that the environment names.
struct SystemdNotifier: Sendable {
    private let address: [UInt8]
    /// How often systemd wants a sign of life.
    let watchdogInterval: Duration?

    /// - Returns: `nil` where nobody wants to be told.
    init?(_ environment: [String: String] = ProcessInfo.processInfo.environment) {
        guard let path = environment["NOTIFY_SOCKET"], path.hasPrefix("/") || path.hasPrefix("@") else { return nil }
        // An abstract name begins with a NUL in place of the `@`, and has none at its end.
        address = path.hasPrefix("@") ? [0] + path.utf8.dropFirst() : Array(path.utf8) + [0]
        guard address.count <= MemoryLayout.size(ofValue: sockaddr_un().sun_path) else { return nil }
        let isForUs = environment["WATCHDOG_PID"].map { $0 == "\(getpid())" } ?? true
        let microseconds = environment["WATCHDOG_USEC"].flatMap { Int64($0) } ?? 0
        watchdogInterval = isForUs && microseconds > 0 ? .microseconds(microseconds) : nil
    }

    /// The start, or a reload, is done.
    func ready() { send("READY=1") }

    func reloading() {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        send("RELOADING=1\nMONOTONIC_USEC=\(now.tv_sec * 1_000_000 + now.tv_nsec / 1_000)")
    }

    func stopping() { send("STOPPING=1") }

    /// - Parameter text: what `systemctl status` shows.
    func status(_ text: String) { send("STATUS=\(text.onOneLine)") }

    /// Gives signs of life for as long as the bridge is alive, and says how its connection fares, until the task is
    /// cancelled.
    func accompany(_ bridge: Bridge) async {
        await withDiscardingTaskGroup { group in
            group.addTask { for await state in bridge.connectionStates { status(state) } }
            guard let interval = watchdogInterval else { return }
            group.addTask {
                while !Task.isCancelled {
                    if await bridge.isAlive(toleratingBlocks: interval) { send("WATCHDOG=1") }
                    try? await Task.sleep(for: interval / 2)
                }
            }
        }
    }

    /// What can't be sent is lost: nothing depends on it here.
    private func send(_ message: String) {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: address) }
        let size = MemoryLayout.offset(of: \sockaddr_un.sun_path).map { $0 + address.count } ?? 0
        let bytes = Array(message.utf8)
        _ = withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, socklen_t(size))
            }
        }
    }
}
