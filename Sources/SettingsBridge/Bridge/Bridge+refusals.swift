import MQTT

/// What the broker does not allow: it is named once, tried again, and told when it has ended.
struct BrokerRefusals: Sendable {
    /// Why not everything that is sent to the bridge arrives.
    var subscription: String?
    /// Since when something is refused that is published.
    var since: ContinuousClock.Instant?
    /// The topic that the log has named.
    var named: String?
    /// What is published in vain, while that lasts.
    var publishes: String?
    /// Looks whether publishes are still refused.
    var watch: Task<Void, Never>?

    /// For `bridge/health`.
    var problems: [String] { [subscription, publishes].compactMap(\.self) }
}

extension Bridge {
    // MARK: Subscriptions

    /// Takes note of what became of the subscriptions.
    ///
    /// - Parameter error: `nil` when the broker took all of them.
    func noteSubscriptions(_ error: MQTTError?) {
        let problem = error.map(sentence)
        guard problem != refusals.subscription else { return }
        refusals.subscription = problem
        if let problem {
            log.error("mqtt", problem)
        } else {
            log.info("mqtt", "everything that is sent to the bridge can be received now")
        }
        publishHealth()
    }

    private func sentence(_ error: MQTTError) -> String {
        guard case .subscriptionRefused(let filter, let reason) = error else {
            return "not everything that is sent to the bridge can be received: \(error)"
        }
        let isCommand = BridgeTopics(base: configuration.mqtt.baseTopic).contain(filter)
        // 128 is all that 3.1.1 can say.
        let question =
            [.notAuthorized, .init(rawValue: 128)].contains(reason) ? "; may \(configuration.mqtt.who) read there?" : ""
        return (isCommand ? "no commands can be received: " : "not everything can be received: ")
            + "\(error)\(question)"
    }

    // MARK: Publishes

    /// The broker did not take a message. MQTT 3.1.1 has no way to say so.
    func noteRefusal(of topic: String, _ reason: MQTTReasonCode) {
        if refusals.since == nil {
            refusals.since = .now
            refusals.named = topic
            let question = reason == .notAuthorized ? "; may \(configuration.mqtt.who) write there?" : ""
            log.error("mqtt", "the broker refused what was published on \(topic): \(reason)\(question)")
        }
        watchRefusals()
    }

    /// Looks, when everything is published, what of it is refused, and tries that again now and then.
    func watchRefusals() {
        guard refusals.since != nil, refusals.watch == nil, let client = link?.client else { return }
        refusals.watch = Task {
            var pause = Duration.seconds(10)
            try? await Task.sleep(for: .seconds(1))
            while !Task.isCancelled {
                let isComplete = await client.flush(within: .seconds(10))
                guard !Task.isCancelled, !isComplete || noteRefused(client.refusedTopics) else { break }
                try? await Task.sleep(for: pause)
                guard !Task.isCancelled else { return }
                pause = min(pause * 2, .seconds(300))
                publishEverything()
            }
            if !Task.isCancelled { refusals.watch = nil }
        }
    }

    /// - Returns: whether anything is still refused.
    private func noteRefused(_ topics: Set<String>) -> Bool {
        let before = refusals.publishes
        if topics.isEmpty {
            refusals.publishes = nil
            if before != nil, let since = refusals.since {
                log.info(
                    "mqtt",
                    "the broker takes everything that is published again, after \(since.duration(to: .now).roughText)")
            }
            refusals.since = nil
        } else {
            let some = topics.sorted().prefix(3).joined(separator: ", ")
            let which = topics.count > 3 ? "\(topics.count) topics, among them \(some)" : some
            refusals.publishes = "the broker refuses what is published on \(which)"
            if let sentence = refusals.publishes, before != sentence, some != refusals.named {
                log.error("mqtt", sentence)
            }
        }
        if before != refusals.publishes { publishHealth() }
        return !topics.isEmpty
    }

    /// The connection is gone; whether the next one is refused the same will be seen.
    func forgetRefusalWatch() {
        refusals.watch?.cancel()
        refusals.watch = nil
    }
}

extension MQTTSettings {
    /// Whom the broker would have to allow something.
    var who: String { user.map { "the user '\($0)'" } ?? "a client without a user name" }
}
