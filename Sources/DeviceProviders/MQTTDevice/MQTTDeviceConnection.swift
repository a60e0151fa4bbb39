import MQTT
import SettingsBridge
import Synchronization

/// A device that is on MQTT already, over a connection of its own to the broker.
final class MQTTDeviceConnection: DeviceConnection {
    /// How many characters of a device's reason are told.
    private static let shownOfReasons = 300

    private let link: MQTTDeviceLink
    private let task: Task<Void, Never>
    private let plan: MQTTDevicePlan
    /// What the device was told, and may repeat when it refuses.
    private let secrets = KnownSecrets()

    /// Connects at once, and stays connected as long as it exists.
    init(
        _ plan: MQTTDevicePlan, over configuration: MQTTConfiguration,
        subscribingAgainAfter pause: Duration = .seconds(10)
    ) {
        self.plan = plan
        let link = MQTTDeviceLink(plan, over: configuration, subscribingAgainAfter: pause)
        self.link = link
        task = Task { await link.run() }
    }

    deinit { task.cancel() }

    @concurrent func read() async throws -> [String: JSONValue] {
        let mustAsk = link.state.withLock { $0.beginReading() }
        defer { link.endReading() }
        let deadline = ContinuousClock.now + plan.timeout
        try await link.wait(until: deadline) { $0.link == .connecting ? nil : true }
        var count: Int?
        if mustAsk, let request = plan.request, link.state.withLock({ $0.link == .subscribed }) {
            count = link.state.withLock(\.stateCount)
            try link.publish(MQTTMessage(topic: request.topic, payload: request.payload))
        }
        let askedAt = count
        try await link.wait(until: deadline) { state in
            state.link != .subscribed || state.isOffline || state.isComplete(askedAt: askedAt) ? true : nil
        }
        return try link.state.withLock { state throws(DeviceError) in
            try state.reading(askedAt: askedAt, link.checkReachable)
        }
    }

    @concurrent func write(_ changes: [DeviceChange]) async throws -> [String: DeviceError] {
        let deadline = ContinuousClock.now + plan.timeout
        try await link.waitUntilSubscribed(until: deadline)
        try link.state.withLock { state throws(DeviceError) in try link.checkReachable(state) }
        secrets.add(changes.filter { isSecret($0.setting) }.compactMap(\.value.text))
        var outcome = WriteOutcome()
        for change in changes {
            try Task.checkCancellation()
            let setting = plan.settings.first { $0.id == change.setting }
            guard let command = setting?.command else { continue }
            try await outcome.step(of: [change.setting]) {
                try await send(change.value, by: command, for: change.setting)
            }
        }
        return outcome.failures
    }

    private func isSecret(_ setting: String) -> Bool {
        plan.settings.contains { $0.id == setting && $0.state == nil }
    }

    private func send(_ value: JSONValue, by command: MQTTDevicePlan.Command, for setting: String) async throws {
        let deadline = ContinuousClock.now + plan.timeout
        let transaction = link.state.withLock { $0.beginCommand(command.response) }
        defer { link.state.withLock { $0.endCommand(transaction) } }
        try await link.publishAcknowledged(
            MQTTMessage(
                topic: command.topic, payload: command.payload.payload(value: value, transaction: transaction),
                qos: command.qos, isRetained: command.isRetained),
            within: plan.timeout)
        guard let response = command.response else { return }
        try await link.wait(until: deadline) { state in
            state.answer(to: transaction) != nil || state.link != .subscribed ? true : nil
        }
        switch link.state.withLock({ $0.answer(to: transaction) }) {
        case .accepted: return
        case .refused(let reason):
            let excerpt = secrets.redaction.excerpt(reason, limit: Self.shownOfReasons)
            throw DeviceError("the device refused \(setting) on '\(command.topic)': \(excerpt)")
        case nil:
            try link.state.withLock { state throws(DeviceError) in try link.checkReachable(state) }
            throw DeviceError(
                "the device did not answer the change of \(setting) on '\(command.topic)' within \(plan.timeout.text): "
                    + "nothing came on '\(response.topic)'", mayPass: true)
        }
    }

    func changes() -> AsyncStream<Void>? { link.changes }
}
