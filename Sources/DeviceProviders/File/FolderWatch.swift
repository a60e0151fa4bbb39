import Foundation

/// Tells when something happens in folders: a file is written, replaced, made or removed (inotify).
///
/// A thread that polls, not a dispatch source: libdispatch crashes on Linux now and then when a source is cancelled while
/// an event of it is on its way.
final class FolderWatch: Sendable {
    private let events: Events
    private let end = Interruption()

    /// - Parameters:
    ///   - pause: how long after the first event of several `onEvent` is called, once for all.
    ///   - onEvent: called on a thread of its own.
    /// - Returns: `nil` where the system has no more watches to give.
    init?(pause: Duration = .milliseconds(50), onEvent: @escaping @Sendable () -> Void) {
        guard let events = Events(), end.descriptor >= 0 else { return nil }
        self.events = events
        let end = end
        let thread = Thread {
            while events.wait(orEnd: end) {
                // What follows within the pause is told together with the first.
                if end.happens(within: pause) { return }
                events.drain()
                onEvent()
            }
        }
        thread.name = "folder watch"
        thread.stackSize = 256 << 10
        thread.start()
    }

    deinit { end.interrupt() }

    /// Watches a folder. For one that is watched already it changes nothing, unless it was removed and made again.
    func watch(_ folder: String) { events.watch(folder) }
}

/// The queue of events, open as long as the watch or its thread lives.
private final class Events: Sendable {
    private let descriptor: Int32

    init?() {
        descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        if descriptor < 0 { return nil }
    }

    deinit { close(descriptor) }

    func watch(_ folder: String) {
        let kinds = IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_ATTRIB
        inotify_add_watch(descriptor, folder, UInt32(kinds))
    }

    /// - Returns: whether something happened; if not, the end came.
    func wait(orEnd end: Interruption) -> Bool {
        var states = [descriptor, end.descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        var count: Int32
        repeat { count = poll(&states, 2, -1) } while count < 0 && errno == EINTR
        return count > 0 && states[1].revents == 0
    }

    /// What happened does not matter: the files are looked at anyway.
    func drain() {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while read(descriptor, &buffer, buffer.count) > 0 {}
    }
}
