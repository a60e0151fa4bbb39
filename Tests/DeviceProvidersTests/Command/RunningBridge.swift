import DeviceProviders
import Foundation
import SettingsBridge
import TestSupport
import Testing

/// A bridge in this process, on a broker of its own.
struct RunningBridge {
    let broker: Broker
    let subscriber: Subscriber

    func set(_ topic: String, _ payload: String) async throws {
        try await broker.publish(topic: "settings2mqtt/\(topic)/set", payload: payload)
    }

    func wait(_ topic: String, _ payload: String) async throws {
        try await subscriber.waitFor(topic: "settings2mqtt/\(topic)", payload: payload)
    }

    /// The newest payload of a topic.
    func last(_ topic: String) -> String? { subscriber.messages(on: "settings2mqtt/\(topic)").last?.text }
}

/// Runs the body while a bridge with this configuration runs.
///
/// - Parameter change: of the configuration, which gets the broker's address first.
func withRunningBridge(
    _ configuration: BridgeConfiguration, _ body: (RunningBridge) async throws -> Void
) async throws {
    try await withBroker { broker in
        var configuration = configuration
        configuration.mqtt.server = ServerAddress(isTLS: false, host: broker.host, port: broker.port)
        let subscriber = try await Subscriber(to: ["settings2mqtt/#"], on: broker)
        let bridge = Bridge(configuration, log: Log([]))
        let running = Task { try await bridge.run() }
        let result: Result<Void, any Error>
        do {
            try await subscriber.waitFor(topic: "settings2mqtt/bridge/state", payload: "online")
            result = .success(try await body(RunningBridge(broker: broker, subscriber: subscriber)))
        } catch {
            result = .failure(error)
        }
        await bridge.stop(within: .milliseconds(500))
        _ = await running.result
        try result.get()
    }
}
