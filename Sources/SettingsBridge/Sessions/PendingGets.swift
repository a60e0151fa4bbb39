/// One `/get` message.
struct GetRequest: Sendable {
    /// `nil` for the whole accessory.
    var setting: String?
    var sender: Sender
    var receivedAt: ContinuousClock.Instant
}

/// The `/get` messages that the next reading will serve, at most 256.
struct PendingGets: Sendable {
    static let limit = 256

    private var requests: [GetRequest] = []

    var isEmpty: Bool { requests.isEmpty }
    var oldest: ContinuousClock.Instant? { requests.first?.receivedAt }

    /// Adds a message. Returns the one that had to go for it.
    mutating func add(_ request: GetRequest) -> [GetRequest] {
        // Of those that nobody waits for, one per setting is enough.
        if !request.sender.asked, requests.contains(where: { !$0.sender.asked && $0.setting == request.setting }) {
            return []
        }
        requests.append(request)
        return requests.count > Self.limit ? [requests.removeFirst()] : []
    }

    mutating func takeAll() -> [GetRequest] {
        defer { requests = [] }
        return requests
    }

    mutating func takeReceived(before limit: ContinuousClock.Instant) -> [GetRequest] {
        let old = requests.prefix { $0.receivedAt <= limit }
        requests.removeFirst(old.count)
        return Array(old)
    }
}
