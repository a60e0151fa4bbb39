/// The sessions of the configured accessories, and those that a reload has ended and that still finish what they began.
struct Sessions: Sendable {
    /// In the order of the configuration.
    var current: [AccessorySession] = []
    var ending: [AccessorySession] = []

    var isEmpty: Bool { all.isEmpty }
    var all: [AccessorySession] { ending + current }

    /// Those that publish: of each accessory one at a time.
    var active: [AccessorySession] { ending + current.filter { predecessor(of: $0) == nil } }

    subscript(id: String) -> AccessorySession? { current.first { $0.configuration.id == id } }

    /// The session of the same accessory that is not yet at its end.
    func predecessor(of session: AccessorySession) -> AccessorySession? {
        ending.first { $0.configuration.id == session.configuration.id }
    }

    /// Ends all sessions, by force when the time is up.
    func finish(within limit: Duration) async {
        let all = all
        let timer = Task {
            try? await Task.sleep(for: limit)
            for session in all { session.abandon() }
        }
        await withDiscardingTaskGroup { group in
            for session in all { group.addTask { await session.finish(.bridgeStops) } }
        }
        timer.cancel()
        await timer.value
    }
}
