import AccessorySettings
import MQTT
import Synchronization

/// Announces every setting to Home Assistant: a device per accessory by MQTT discovery, and one for the bridge.
///
/// States and commands stay on the plain topics. Where Home Assistant is not wanted nothing is announced, and what an
/// earlier run announced is cleared.
final class HomeAssistantConvention: Convention {
    /// How long after a payload that changed a device its values are published again: Home Assistant reads no state
    /// anew when only the limits or options of an entity change.
    private static let settling = Duration.seconds(1)

    private let settings: HomeAssistantSettings
    private let topics: BridgeTopics

    fileprivate struct State {
        var outlet: ConventionOutlet?
        var plans: [String: DiscoveryPlan] = [:]
        /// Which accessories have a task that waits to send what is due.
        var waiting: Set<String> = []
        /// Accessories of which limits were announced that are wider than the declared ones.
        var widened: Set<String> = []
        var hasBirth = false
    }
    private let state = Mutex(State())

    init(_ settings: HomeAssistantSettings, topics: BridgeTopics) {
        self.settings = settings
        self.topics = topics
    }

    func attach(_ outlet: ConventionOutlet) {
        state.withLock { $0.outlet = outlet }
    }

    // MARK: Announcing

    func messages(for change: AccessoryChange) -> [MQTTMessage] {
        let id = change.accessory.id
        guard settings.isEnabled, let snapshot = change.snapshot,
            change.parts.descriptors || change.parts.isComplete || needsOtherBounds(change, snapshot)
        else { return [] }
        let device = DiscoveryDevice(change.accessory, snapshot, topics: topics)
        let isWidened = snapshot.settings.contains(where: \.isOutsideBounds)
        let (payload, due) = state.withLock { state in
            if isWidened { state.widened.insert(id) } else { state.widened.remove(id) }
            let payload = state.plans[id, default: DiscoveryPlan()]
                .want(device, always: change.parts.isComplete, at: .now)
            return (payload, state.takeDue(id))
        }
        if let due { wait(until: due, for: id) }
        if payload?.isUpdate == true { settle(id) }
        return payload.map { [message(node(of: id), $0)] } ?? []
    }

    /// Whether a value that is news lies outside its own bounds, which then have to be widened, or is back within them.
    private func needsOtherBounds(_ change: AccessoryChange, _ snapshot: Snapshot) -> Bool {
        guard !change.parts.values.isEmpty else { return false }
        return change.parts.values.contains { snapshot.settings[$0].isOutsideBounds }
            || state.withLock { $0.widened.contains(change.accessory.id) }
    }

    func bridgeMessages() -> [MQTTMessage] {
        guard settings.isEnabled else { return [] }
        let device = DiscoveryDevice.bridge(topics)
        return [message(bridgeNode, DiscoveryPayload(device: device.fields, components: device.components))]
    }

    private func node(of accessory: String) -> String { DiscoveryNames.node(base: topics.base, accessory: accessory) }

    private var bridgeNode: String { node(of: "bridge/") }

    private func topic(_ node: String) -> String { "\(settings.discoveryTopic)/device/\(node)/config" }

    private func message(_ node: String, _ payload: DiscoveryPayload) -> MQTTMessage {
        MQTTMessage(topic: topic(node), payload: payload.json(), isRetained: true)
    }

    /// Sends what is due later, then the values that belong to it.
    private func wait(until due: ContinuousClock.Instant, for id: String) {
        Task { [weak self] in
            try? await Task.sleep(until: due, clock: .continuous)
            await self?.sendDue(id)
        }
    }

    private func sendDue(_ id: String) async {
        let (payload, outlet, due) = state.withLock { state in
            state.waiting.remove(id)
            let payload = state.plans[id]?.sendDue(at: .now)
            return (payload, state.outlet, state.takeDue(id))
        }
        if let due { wait(until: due, for: id) }
        guard let payload, let outlet else { return }
        outlet.publish([message(node(of: id), payload)])
        settle(id)
    }

    /// Publishes the values again when Home Assistant has taken in what changed about them.
    private func settle(_ id: String) {
        Task { [weak self] in
            try? await Task.sleep(for: Self.settling)
            await self?.state.withLock { $0.outlet }?.republishValues(id)
        }
    }

    // MARK: Home Assistant's birth

    var subscriptions: [MQTTSubscription] {
        settings.isEnabled ? [MQTTSubscription(filter: settings.statusTopic, retainHandling: .never)] : []
    }

    /// Home Assistant has started: it is told everything again, after a random while, so that not all bridges speak at
    /// once, and not before every announcement may go out ahead of its values.
    func received(_ message: MQTTMessage) {
        guard message.topic == settings.statusTopic, !message.isRetained, message.payload == PlainTopics.online else {
            return
        }
        let outlet = state.withLock { state in
            defer { state.hasBirth = true }
            return state.hasBirth ? nil : state.outlet
        }
        guard let outlet else { return }
        Task {
            let chosen = ContinuousClock.now.advanced(by: .milliseconds(Int.random(in: 0...3_000)))
            let earliest = state.withLock { $0.plans.values.compactMap(\.earliest).max() }
            try? await Task.sleep(until: max(chosen, earliest ?? chosen), clock: .continuous)
            state.withLock { $0.hasBirth = false }
            outlet.publish(bridgeMessages())
            await outlet.republish()
        }
    }

    // MARK: Clearing up

    var sweepFilters: [String] { [topic("+")] }

    func clearing(_ retained: [MQTTMessage], allBut accessories: [String]) -> [MQTTMessage] {
        let bridge = DiscoveryDevice.bridgeIdentifier(topics)
        let accessories = Dictionary(
            accessories.map { (topic(node(of: $0)), $0) }, uniquingKeysWith: { first, _ in first })
        var clearing: [MQTTMessage] = []
        for message in retained {
            guard let discovery = RetainedDiscovery(message.payload), discovery.isOf(bridge: bridge) else { continue }
            if settings.isEnabled, let accessory = accessories[message.topic] {
                state.withLock { $0.plans[accessory] = DiscoveryPlan(announced: discovery.platforms) }
            } else if !settings.isEnabled || message.topic != topic(bridgeNode) {
                clearing.append(.clearing(message.topic))
            }
        }
        return clearing
    }

    func clearing(_ accessory: String, _ settings: [String]) -> [MQTTMessage] {
        self.settings.isEnabled ? [.clearing(topic(node(of: accessory)))] : []
    }

    func forget(_ accessory: String) {
        state.withLock { state in
            state.plans[accessory] = nil
            state.widened.remove(accessory)
        }
    }

    func clearingOfBridge() -> [MQTTMessage] { settings.isEnabled ? [.clearing(topic(bridgeNode))] : [] }
}

extension HomeAssistantConvention.State {
    /// When the accessory's next payload is due, if no task waits for it yet.
    fileprivate mutating func takeDue(_ id: String) -> ContinuousClock.Instant? {
        guard let due = plans[id]?.due, waiting.insert(id).inserted else { return nil }
        return due
    }
}

extension Setting {
    fileprivate var isOutsideBounds: Bool {
        guard case .range(let range) = descriptor.kind, case .number(let value) = value else { return false }
        return range.lowerBound.map { value < $0 } ?? false || range.upperBound.map { value > $0 } ?? false
    }
}
