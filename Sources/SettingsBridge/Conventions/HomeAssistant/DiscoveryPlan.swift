/// Decides when which discovery payload of one device goes out.
///
/// Home Assistant may lose components of a payload that comes while it still works on the one before: payloads are at
/// least two seconds apart, and the last one always goes out. A component that is left out stays; it goes only when it
/// is announced once with nothing but its platform, and so does one whose platform changes.
struct DiscoveryPlan: Sendable {
    static let pause = Duration.seconds(2)

    /// The components that Home Assistant knows, with their platforms.
    private var announced: [String: String]
    /// Components that were removed in this run, with their platforms: the payload that did it may not have arrived, so
    /// that they are removed again with whatever is announced to somebody who may know nothing.
    private var removed: [String: String] = [:]
    private var removesAgain = false
    /// What is to be announced, while it waits.
    private var wanted: DiscoveryDevice?
    /// Tells whether a device is the one that was announced last; the device itself would take a kilobyte per setting.
    private var sent: Int?
    private var lastTime: ContinuousClock.Instant?
    /// When the next payload is to go out.
    private(set) var due: ContinuousClock.Instant?

    /// When a payload may go out at the earliest; `nil` where none went out yet.
    var earliest: ContinuousClock.Instant? { lastTime?.advanced(by: Self.pause) }

    /// - Parameter announced: what an earlier run announced.
    init(announced: [String: String] = [:]) {
        self.announced = announced
    }

    /// Takes what is to be announced.
    ///
    /// - Parameter always: announce even if nothing changed.
    /// - Returns: the payload to publish now; `nil` if there is none, or none yet.
    mutating func want(_ device: DiscoveryDevice, always: Bool, at now: ContinuousClock.Instant) -> DiscoveryPayload? {
        removesAgain = removesAgain || always
        guard always || device.hashValue != sent || due != nil else { return nil }
        wanted = device
        return due == nil || lastTime == nil ? sendOrWait(at: now) : nil
    }

    /// The payload that is due.
    mutating func sendDue(at now: ContinuousClock.Instant) -> DiscoveryPayload? {
        guard let due, due <= now else { return nil }
        return sendOrWait(at: now)
    }

    private mutating func sendOrWait(at now: ContinuousClock.Instant) -> DiscoveryPayload? {
        if let next = earliest, next > now {
            due = next
            return nil
        }
        guard let wanted else { return nil }
        let platforms = Dictionary(
            wanted.components.map { ($0.id, $0.platform) }, uniquingKeysWith: { first, _ in first })
        var gone = announced.filter { platforms[$0.key] != $0.value }
        removed.merge(gone) { $1 }
        removed = removed.filter { platforms[$0.key] == nil }
        if removesAgain { gone.merge(removed) { first, _ in first } }
        removesAgain = false
        let stubs = gone.sorted { $0.key < $1.key }.map { (id: $0.key, platform: $0.value) }
        let stubbed = Set(stubs.map(\.id))
        let components = wanted.components.filter { !stubbed.contains($0.id) }
        announced = Dictionary(components.map { ($0.id, $0.platform) }, uniquingKeysWith: { first, _ in first })
        let isUpdate = sent.map { $0 != wanted.hashValue } ?? false
        lastTime = now
        sent = wanted.hashValue
        due = stubs.isEmpty ? nil : now.advanced(by: Self.pause)
        if due == nil { self.wanted = nil }
        return DiscoveryPayload(device: wanted.fields, components: components, stubs: stubs, isUpdate: isUpdate)
    }
}

/// A device with all its components.
struct DiscoveryDevice: Sendable, Hashable {
    var fields: [DiscoveryComponent.Field]
    var components: [DiscoveryComponent]
}
