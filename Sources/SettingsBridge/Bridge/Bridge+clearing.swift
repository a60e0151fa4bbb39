import MQTT

/// Clearing what earlier runs and removed accessories left.
extension Bridge {
    /// Clears topics now, or as soon as there is a connection.
    func clear(_ messages: [MQTTMessage]) {
        link?.clearing += messages
        nextLink?.clearing += messages
        guard let link, link.version != nil else { return }
        link.outbox.publish(messages)
        forgetCleared()
    }

    /// Publishes what is to be cleared, with a new connection: the one before may have broken before it arrived.
    func publishClearing() {
        guard let link, !link.clearing.isEmpty else { return }
        link.outbox.publish(link.clearing)
        forgetCleared()
    }

    /// Clears no topic again once the broker has acknowledged it: Home Assistant would wonder about it each time.
    private func forgetCleared() {
        guard let link else { return }
        let topics = Set(link.clearing.map(\.topic))
        Task {
            while let now = self.link, now.client === link.client, now.version != nil {
                if link.outbox.isEmpty, await link.client.flush(within: .seconds(5)) {
                    return self.link?.clearing.removeAll { topics.contains($0.topic) } ?? ()
                }
                try? await Task.sleep(for: .seconds(1))
            }
        }
    }
}
