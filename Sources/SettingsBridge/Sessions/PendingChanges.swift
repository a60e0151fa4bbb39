import AccessorySettings

/// One `/set` message that was understood: what it changes and who waits for the outcome.
struct SetRequest: Sendable {
    var changes: [Setting]
    var sender: Sender
    var receivedAt: ContinuousClock.Instant
}

/// The changes that wait while a write runs: of each setting the newest value, and the messages they came from.
///
/// Bounded by the number of settings: a message stays only while at least one of its changes is the newest.
struct PendingChanges {
    private struct Change {
        var setting: Setting
        var request: Int
    }

    private var changes: [String: Change] = [:]
    private var requests: [Int: SetRequest] = [:]
    private var nextRequest = 0

    var isEmpty: Bool { requests.isEmpty }

    /// The newest value that waits for a setting.
    subscript(setting: String) -> SettingValue? {
        changes[setting]?.setting.value
    }

    /// Adds a message. Returns the messages of which nothing is left to do, because newer ones name all their settings.
    mutating func add(_ request: SetRequest) -> [SetRequest] {
        let number = nextRequest
        nextRequest += 1
        requests[number] = request
        var superseded: [SetRequest] = []
        for setting in request.changes {
            guard let older = changes.updateValue(Change(setting: setting, request: number), forKey: setting.id),
                older.request != number
            else { continue }
            let isLeftWithNothing = !(requests[older.request]?.changes ?? [])
                .contains { changes[$0.id]?.request == older.request }
            if isLeftWithNothing, let request = requests.removeValue(forKey: older.request) {
                superseded.append(request)
            }
        }
        return superseded
    }

    /// Takes everything: the change dictionary, in the order in which the settings stand in the snapshot, and the
    /// messages that it carries out.
    mutating func takeAll(orderedBy snapshot: Snapshot?) -> (changes: [Setting], requests: [SetRequest]) {
        defer { self = PendingChanges() }
        let ordered = changes.values.map(\.setting).sorted {
            (snapshot?.position(of: $0.id) ?? .max, $0.id) < (snapshot?.position(of: $1.id) ?? .max, $1.id)
        }
        return (ordered, requests.sorted { $0.key < $1.key }.map(\.value))
    }

    /// Takes out the messages received before `limit`; their changes will not be written.
    mutating func takeReceived(before limit: ContinuousClock.Instant) -> [SetRequest] {
        take { $0.receivedAt <= limit }
    }

    /// Takes out messages; their changes will not be written.
    mutating func take(where isTaken: (SetRequest) -> Bool) -> [SetRequest] {
        let taken = requests.filter { isTaken($0.value) }
        guard !taken.isEmpty else { return [] }
        for number in taken.keys { requests[number] = nil }
        changes = changes.filter { taken[$0.value.request] == nil }
        return taken.sorted { $0.key < $1.key }.map(\.value)
    }

    var oldest: ContinuousClock.Instant? {
        requests.values.map(\.receivedAt).min()
    }
}
