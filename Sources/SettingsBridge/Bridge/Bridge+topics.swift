import MQTT

/// What is published of the bridge itself.
extension Bridge {
    func publishInfo(_ version: MQTTProtocolVersion) {
        running?.outbox.publish([
            MQTTMessage(
                topic: topics.info, payload: BridgeInfo.json(configuration, started: startDate, version),
                isRetained: true)
        ])
    }

    func publishHealth() async {
        guard configuration.healthInterval > .zero else { return }
        while !Task.isCancelled {
            try? await Task.sleep(for: configuration.healthInterval, tolerance: .seconds(1))
            await publishHealthNow()
        }
    }

    /// Accessories often come and go together: one message tells of all.
    func publishHealthSoon() async {
        guard !isHealthDue else { return }
        isHealthDue = true
        try? await Task.sleep(for: .milliseconds(500))
        isHealthDue = false
        await publishHealthNow()
    }

    func publishHealthNow() async {
        guard let running else { return }
        guard configuration.healthInterval > .zero else {
            // What an earlier run said is not true of this one.
            running.outbox.publish([MQTTMessage(topic: topics.health, payload: [], isRetained: true)])
            return
        }
        var accessories: [(id: String, isOnline: Bool, counters: SessionCounters)] = []
        for session in running.sessions {
            accessories.append((session.configuration.id, session.isOnline, session.counters))
        }
        let now = ContinuousClock.now
        let health = BridgeHealth(
            uptime: started.duration(to: now), mqtt: running.client.counters, dropped: running.outbox.dropped,
            accessories: accessories)
        running.outbox.publish([MQTTMessage(topic: topics.health, payload: health.json(at: now), isRetained: true)])
    }

    /// Somebody else published on one of the bridge's own topics: says the truth again, once per topic and 10 s.
    func correct(_ topic: String) async {
        let now = ContinuousClock.now
        guard !isStopping else { return }
        guard corrections.mayCorrect(topic, at: now) else { return correctLater() }
        await publishAgain(topic)
    }

    /// Corrects the topics that were corrected less than ten seconds ago.
    private func correctLater() {
        guard correcting == nil, let due = corrections.due else { return }
        correcting = Task {
            try? await Task.sleep(until: due, clock: .continuous)
            correcting = nil
            for topic in corrections.takeDue(at: .now) where !isStopping { await publishAgain(topic) }
            correctLater()
        }
    }

    private func publishAgain(_ topic: String) async {
        switch topic {
        case topics.state:
            running?.outbox.publish([MQTTMessage(topic: topics.state, payload: PlainTopics.online, isRetained: true)])
        case topics.info: if let version = running?.version { publishInfo(version) }
        default: await publishHealthNow()
        }
    }
}
