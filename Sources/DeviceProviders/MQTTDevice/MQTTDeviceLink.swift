import MQTT
import SettingsBridge
import Synchronization

/// The client of one device, and what it has heard.
final class MQTTDeviceLink: Sendable {
    let state: Mutex<MQTTDeviceState>
    /// Each element tells that a reading would say something else than the last.
    let changes: AsyncStream<Void>
    private let changed: AsyncStream<Void>.Continuation
    private let client: MQTTClient
    private let plan: MQTTDevicePlan
    private let endpoint: String
    /// How long after a refusal the subscriptions are tried again, since rights may change.
    private let pause: Duration
    /// Who waits for the state to change.
    private let waiters = Mutex(Waiters())
    /// Where a publish was taken on this connection before: rights seldom change.
    private let accepted = Mutex<Set<String>>([])

    private struct Waiters {
        var continuations: [Int: AsyncStream<Void>.Continuation] = [:]
        var last = 0
    }

    init(_ plan: MQTTDevicePlan, over configuration: MQTTConfiguration, subscribingAgainAfter pause: Duration) {
        self.plan = plan
        self.pause = pause
        state = Mutex(MQTTDeviceState(plan: plan))
        client = MQTTClient(configuration)
        endpoint = configuration.endpoint
        (changes, changed) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Connects, and stays connected until the task is cancelled.
    @concurrent func run() async {
        async let running: Void = client.run()
        var subscribing: Task<Void, Never>?
        for await event in client.events {
            switch event {
            case .connected:
                subscribing?.cancel()
                accepted.withLock { $0 = [] }
                state.withLock { $0.connectionBegan() }
                // Beside this loop, so that what comes meanwhile is known when the subscriptions are made.
                subscribing = Task { await subscribe() }
            case .connectionFailed(let failure, _, _), .disconnected(let failure, _):
                subscribing?.cancel()
                note { $0.linkChanged(to: .failed("\(failure)")) }
            case .message(let message):
                // Taken apart before anybody has to wait for the state.
                let document = MQTTDeviceDocument(message, for: plan)
                note { $0.receive(document) }
            case .publishRefused(let topic, let reason):
                note {
                    $0.publishRefused(on: topic, "\(reason)")
                    return false
                }
            case .roomForPublishes: break
            }
        }
        subscribing?.cancel()
        changed.finish()
        await running
    }

    /// Subscribes, again and again where the broker refuses it, until the task is cancelled.
    @concurrent private func subscribe() async {
        while true {
            let link = await subscribeOnce()
            // Cancelled before the end of the connection is noted, so it can't be noted over that.
            note { Task.isCancelled ? false : $0.linkChanged(to: link) }
            if link == .subscribed { return }
            do { try await Task.sleep(for: pause) } catch { return }
        }
    }

    private func subscribeOnce() async -> MQTTDeviceState.Link {
        do throws(MQTTError) {
            for topics in plan.topicGroups { try await client.subscribe(topics.map { MQTTSubscription(filter: $0) }) }
            return .subscribed
        } catch {
            return .failed("\(error)")
        }
    }

    private func note(_ change: (inout MQTTDeviceState) -> Bool) {
        if state.withLock({ change(&$0) }) { changed.yield() }
        for continuation in waiters.withLock({ Array($0.continuations.values) }) { continuation.yield() }
    }

    func endReading() {
        if state.withLock({ $0.endReading() }) { changed.yield() }
    }

    // MARK: Waiting

    /// Waits until the look at the state finds something.
    ///
    /// - Returns: `nil` when the time is up.
    /// - Throws: `CancellationError`.
    @discardableResult
    func wait<Found: Sendable>(
        until deadline: ContinuousClock.Instant, _ look: @escaping @Sendable (MQTTDeviceState) -> Found?
    ) async throws -> Found? {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = waiters.withLock { waiters in
            waiters.last += 1
            waiters.continuations[waiters.last] = continuation
            return waiters.last
        }
        defer { waiters.withLock { $0.continuations[number] = nil } }
        if let found = state.withLock({ look($0) }) { return found }
        return try await withThrowingTaskGroup(of: Found?.self) { group in
            group.addTask { [self] in
                for await _ in stream {
                    if let found = state.withLock({ look($0) }) { return found }
                }
                return nil
            }
            group.addTask {
                try await Task.sleep(until: deadline)
                return nil
            }
            defer { group.cancelAll() }
            let found = try await group.next() ?? nil
            try Task.checkCancellation()
            return found
        }
    }

    /// - Throws: ``DeviceError`` when there is no connection.
    func waitUntilSubscribed(until deadline: ContinuousClock.Instant) async throws {
        try await wait(until: deadline) { $0.link == .connecting ? nil : true }
        try state.withLock { state throws(DeviceError) in try checkSubscribed(state) }
    }

    private func checkSubscribed(_ state: MQTTDeviceState) throws(DeviceError) {
        switch state.link {
        case .subscribed: break
        case .failed(let reason): throw DeviceError(reason, mayPass: true)
        case .connecting:
            throw DeviceError("the broker at \(endpoint) did not answer within \(plan.timeout.text)", mayPass: true)
        }
    }

    /// - Throws: ``DeviceError`` when there is no connection, or when the device itself said that it is away.
    func checkReachable(_ state: MQTTDeviceState) throws(DeviceError) {
        try checkSubscribed(state)
        if state.isOffline, let availability = plan.availability {
            throw DeviceError(
                "the device is offline: '\(availability.topic)' says \(availability.offline)", mayPass: true)
        }
    }

    // MARK: Publishing

    func publish(_ message: MQTTMessage) throws(DeviceError) {
        do throws(MQTTError) {
            guard case .sent = try client.publish(message) else {
                throw .failed(doing: "publishing on '\(message.topic)'", reason: "too much is unacknowledged")
            }
        } catch {
            throw DeviceError("\(error)", mayPass: true)
        }
    }

    /// Publishes, and waits until the broker has taken the message.
    func publishAcknowledged(_ message: MQTTMessage, within limit: Duration) async throws {
        state.withLock { $0.publishRefused(on: message.topic, nil) }
        try publish(message)
        try await waitForAcknowledgement(of: message.topic, until: .now + limit)
        guard message.qos != .atMostOnce, !accepted.withLock({ $0.contains(message.topic) }) else { return }
        // A refusal (MQTT 5) is on its way together with the acknowledgement.
        let topic = message.topic
        let refusal = try await wait(until: .now + .milliseconds(50)) { $0.refusals[topic] }
        if let refusal { throw DeviceError("the broker at \(endpoint) refused the message on '\(topic)': \(refusal)") }
        accepted.withLock { _ = $0.insert(topic) }
    }

    /// In slices, so that a cancelled call ends soon.
    private func waitForAcknowledgement(of topic: String, until deadline: ContinuousClock.Instant) async throws {
        while await !client.flush(within: .milliseconds(200)) {
            try Task.checkCancellation()
            try state.withLock { state throws(DeviceError) in try checkReachable(state) }
            guard .now < deadline else {
                throw DeviceError("the broker at \(endpoint) did not acknowledge '\(topic)'", mayPass: true)
            }
        }
    }
}
