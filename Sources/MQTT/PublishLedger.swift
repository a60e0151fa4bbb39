/// What was published and is not acknowledged yet, on one connection.
struct PublishLedger {
    private static let refusedLimit = 10_000

    let limit: Int
    /// Topics of QoS 1 and 2, by message id.
    private var topics: [Int32: (name: String, isRetained: Bool)] = [:]
    /// Retained topics on which the broker refused what was published last.
    private(set) var refused: Set<String> = []
    /// QoS 0 publishes not yet written to the connection. The library may write one, and say so, before it tells its
    /// message id: so they are only counted.
    private var unwritten = 0
    private var saidFull = false

    init(limit: Int) {
        self.limit = limit
    }

    var count: Int { topics.count + unwritten }

    /// Whether one more may be published; remembers a no, so that `hasRoomAgain` turns true once.
    mutating func hasRoom() -> Bool {
        if count < limit { return true }
        saidFull = true
        return false
    }

    /// True once after a no, when half of the places are free.
    mutating func hasRoomAgain() -> Bool {
        guard saidFull, count <= limit / 2 else { return false }
        saidFull = false
        return true
    }

    mutating func willWrite() { unwritten += 1 }
    mutating func didNotWrite() { unwritten -= 1 }

    mutating func sent(_ messageID: Int32, topic: String, isRetained: Bool = false) {
        topics[messageID] = (topic, isRetained)
    }

    /// An acknowledgement (QoS 0: written). Returns the topic where it is known.
    mutating func acknowledged(_ messageID: Int32, isRefusal: Bool = false) -> String? {
        guard let topic = topics.removeValue(forKey: messageID) else {
            if unwritten > 0 { unwritten -= 1 }
            return nil
        }
        if isRefusal {
            if topic.isRetained, refused.count < Self.refusedLimit { refused.insert(topic.name) }
        } else if !refused.isEmpty {
            refused.remove(topic.name)
        }
        return topic.name
    }
}
