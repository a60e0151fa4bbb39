import MQTT

/// What is published of the bridge itself.
extension Bridge {
    func publishInfo() {
        guard let link, let version = link.version else { return }
        link.outbox.publish([
            MQTTMessage(
                topic: link.topics.info, payload: BridgeInfo.json(configuration, started: startDate, version),
                isRetained: true)
        ])
    }

    func scheduleHealth() {
        healthTask?.cancel()
        let interval = configuration.healthInterval
        healthTask = Task {
            while interval > .zero {
                do {
                    try await Task.sleep(for: interval, tolerance: .seconds(1))
                } catch {
                    return
                }
                publishHealth()
            }
        }
    }

    /// Accessories often come and go together: one message tells of all.
    func publishHealthAfterChanges() async {
        for await _ in availabilityChanges {
            try? await Task.sleep(for: .milliseconds(500))
            publishHealth()
        }
    }

    func publishHealth() {
        guard let link, link.version != nil else { return }
        // What an earlier run said is not true of this one, even if this one says nothing.
        let payload = configuration.healthInterval > .zero ? BridgeHealth(self).json(at: .now) : []
        link.outbox.publish([MQTTMessage(topic: link.topics.health, payload: payload, isRetained: true)])
    }

    /// Somebody else published on one of the bridge's own topics: says the truth again, once per topic and 10 s.
    func correct(_ topic: String) {
        guard !isStopping else { return }
        guard corrections.mayCorrect(topic, at: .now) else { return correctLater() }
        publishAgain(topic)
    }

    /// Corrects the topics that were corrected less than ten seconds ago.
    private func correctLater() {
        guard correcting == nil, let due = corrections.due else { return }
        correcting = Task {
            try? await Task.sleep(until: due, clock: .continuous)
            correcting = nil
            for topic in corrections.takeDue(at: .now) where !isStopping { publishAgain(topic) }
            correctLater()
        }
    }

    private func publishAgain(_ topic: String) {
        guard let link, link.version != nil else { return }
        switch topic {
        case link.topics.state:
            link.outbox.publish([MQTTMessage(topic: topic, payload: PlainTopics.online, isRetained: true)])
        case link.topics.info: publishInfo()
        case link.topics.health: publishHealth()
        default: break
        }
    }
}

extension BridgeHealth {
    init(_ bridge: isolated Bridge) {
        self.init(
            uptime: bridge.started.duration(to: .now), mqtt: bridge.link?.client.counters ?? MQTTCounters(),
            dropped: bridge.link?.outbox.dropped ?? 0, problems: bridge.refusals.problems,
            accessories: bridge.sessions.current.map { ($0.configuration.id, $0.isOnline, $0.counters) })
    }
}
