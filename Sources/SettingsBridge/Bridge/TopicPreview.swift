package import AccessorySettings
import Foundation
import HomeKit
package import MQTT

/// What the bridge would publish at start, found by reading every accessory once, without a broker.
package struct TopicPreview: Sendable {
    package struct Accessory: Sendable {
        package let configuration: AccessoryConfiguration
        /// `nil` when the accessory could not be read.
        package let snapshot: Snapshot?
        /// Why the accessory could not be read.
        package let problem: String?
        /// What is wrong with what was read.
        package let warnings: [String]
    }

    /// In the order of the configuration.
    package let accessories: [Accessory]
    /// The retained messages in the order in which they would be sent.
    package let messages: [MQTTMessage]

    /// Reads all accessories, each for as long as its `timeout` allows.
    package init(reading configuration: BridgeConfiguration, extensionSettings: [HomeAccessorySettings]) async {
        let accessories = await withTaskGroup(of: (Int, Accessory).self) { group in
            for (position, accessory) in configuration.accessories.enumerated() {
                group.addTask { (position, await Self.read(accessory, extensionSettings)) }
            }
            return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
        self.accessories = accessories
        let conventions = configuration.conventions()
        messages =
            conventions.flatMap { $0.bridgeMessages() }
            + accessories.flatMap { accessory in
                let change = AccessoryChange(
                    accessory: accessory.configuration, snapshot: accessory.snapshot,
                    isOnline: accessory.snapshot != nil, parts: .everything(accessory.snapshot))
                return conventions.flatMap { $0.messages(for: change) }
            } + Self.bridgeMessages(configuration, accessories)
    }

    private static func read(
        _ accessory: AccessoryConfiguration, _ extensionSettings: [HomeAccessorySettings]
    ) async -> Accessory {
        let providers = AccessoryProviders(
            accessory: HMAccessory(accessory), candidates: accessory.candidates(extensionSettings),
            progress: CallProgress(accessory: accessory.id))
        switch await reading(of: providers, within: accessory.timeout) {
        case .success(let reading):
            let snapshot = Snapshot(reading.settings)
            return Accessory(
                configuration: accessory, snapshot: snapshot, problem: nil,
                warnings: Oddities.all(in: snapshot, warnings: reading.warnings))
        case .failure(let failure):
            return Accessory(configuration: accessory, snapshot: nil, problem: failure.message, warnings: [])
        }
    }

    /// What comes first: the reading, or the end of the time. A provider that does not heed cancellation is left behind.
    private static func reading(
        of providers: AccessoryProviders, within limit: Duration
    ) async -> Result<Reading, ReadingFailure> {
        let (results, continuation) = AsyncStream.makeStream(of: Result<Reading, ReadingFailure>.self)
        let call = Task { @MainActor in
            _ = await providers.open()
            continuation.yield(await providers.call([]).reading)
        }
        let timer = Task {
            try? await Task.sleep(for: limit)
            continuation.yield(.failure(ReadingFailure(reason: "no answer within \(limit.text)")))
        }
        defer {
            call.cancel()
            timer.cancel()
        }
        for await result in results { return result }
        return .failure(ReadingFailure(reason: "the call was cancelled"))
    }

    /// The bridge's own topics, after those of the accessories.
    private static func bridgeMessages(_ configuration: BridgeConfiguration, _ accessories: [Accessory])
        -> [MQTTMessage]
    {
        let topics = BridgeTopics(base: configuration.mqtt.baseTopic)
        var payloads = [
            (
                topics.info,
                BridgeInfo.json(configuration, started: Date(), configuration.mqtt.version == .v311 ? .v311 : .v5)
            )
        ]
        if configuration.healthInterval > .zero {
            let health = BridgeHealth(
                uptime: .zero, mqtt: MQTTCounters(), dropped: 0, problems: [],
                accessories: accessories.map { ($0.configuration.id, $0.snapshot != nil, SessionCounters()) })
            payloads.append((topics.health, health.json(at: .now)))
        }
        payloads.append((topics.state, PlainTopics.online))
        return payloads.map { MQTTMessage(topic: $0.0, payload: $0.1, isRetained: true) }
    }
}
