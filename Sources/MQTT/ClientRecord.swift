internal import Synchronization

/// What a client remembers over its connections, for anyone to read.
final class ClientRecord: Sendable {
    private let received = Atomic(0)
    private let published = Atomic(0)
    private let connections = Atomic(0)
    private let version = Mutex<MQTTProtocolVersion?>(nil)

    var counters: MQTTCounters {
        var counters = MQTTCounters()
        counters.messagesReceived = received.load(ordering: .relaxed)
        counters.messagesPublished = published.load(ordering: .relaxed)
        counters.reconnects = max(0, connections.load(ordering: .relaxed) - 1)
        return counters
    }

    var negotiatedVersion: MQTTProtocolVersion? { version.withLock { $0 } }

    func countReceived() { received.add(1, ordering: .relaxed) }
    func countPublished() { published.add(1, ordering: .relaxed) }

    func connected(_ version: MQTTProtocolVersion) {
        connections.add(1, ordering: .relaxed)
        self.version.withLock { $0 = version }
    }
}
