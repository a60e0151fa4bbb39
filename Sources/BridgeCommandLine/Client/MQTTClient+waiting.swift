import MQTT

extension MQTTClient {
    /// Waits for the outcome of the first attempt to connect, which decides.
    ///
    /// - Returns: `false` when the client was stopped before.
    func waitForConnection() async throws(NoAnswer) -> Bool {
        for await event in events {
            switch event {
            case .connected: return true
            case .connectionFailed(let failure, _, _), .disconnected(let failure, _):
                throw NoAnswer(description: failure.description)
            case .message, .publishRefused, .roomForPublishes: break
            }
        }
        return false
    }

    /// The next event; `nil` when the time is up, or the client has ended.
    func nextEvent(until deadline: ContinuousClock.Instant?) async -> MQTTEvent? {
        guard let deadline else {
            var iterator = events.makeAsyncIterator()
            return await iterator.next()
        }
        return await withTaskGroup(of: MQTTEvent?.self) { group in
            group.addTask { [self] in await nextEvent(until: nil) }
            group.addTask {
                try? await Task.sleep(until: deadline, clock: .continuous)
                return nil
            }
            var event: MQTTEvent?
            // The second result too: an event may come at the very moment at which the time is up.
            for await result in group {
                event = event ?? result
                group.cancelAll()
            }
            return event
        }
    }
}
