import Dispatch
import Foundation
import Synchronization

/// Tells when something happens in folders: a file is written, replaced, made or removed (inotify).
final class FolderWatch: Sendable {
    private let descriptor: Int32
    private let source: Mutex<any DispatchSourceRead>

    /// - Parameters:
    ///   - pause: how long after the first event of several `onEvent` is called, once for all.
    ///   - onEvent: called on a queue of its own.
    /// - Returns: `nil` where the system has no more watches to give.
    init?(pause: DispatchTimeInterval = .milliseconds(50), onEvent: @escaping @Sendable () -> Void) {
        descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        guard descriptor >= 0 else { return nil }
        let queue = DispatchQueue(label: "settings2mqtt.folder-watch")
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        let isDue = Mutex(false)
        let descriptor = descriptor
        source.setEventHandler {
            Self.drain(descriptor)
            guard
                isDue.withLock({ isDue in
                    defer { isDue = true }
                    return !isDue
                })
            else { return }
            queue.asyncAfter(deadline: .now() + pause) {
                isDue.withLock { $0 = false }
                onEvent()
            }
        }
        source.setCancelHandler { close(descriptor) }
        source.activate()
        self.source = Mutex(source)
    }

    deinit { source.withLock { $0.cancel() } }

    /// Watches a folder. For one that is watched already it changes nothing, unless it was removed and made again.
    func watch(_ folder: String) {
        let events = IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_ATTRIB
        inotify_add_watch(descriptor, folder, UInt32(events))
    }

    /// What happened does not matter: the files are looked at anyway.
    private static func drain(_ descriptor: Int32) {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while read(descriptor, &buffer, buffer.count) > 0 {}
    }
}
