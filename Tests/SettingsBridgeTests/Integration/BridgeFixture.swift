import AccessorySettings
import Foundation
import MQTT
import Synchronization
import TestSupport
import Testing

@testable import SettingsBridge

/// A bridge in this process, on a base topic of its own, with a device under the test's control.
final class BridgeFixture: Sendable {
    static let accessory = "lr-thermo"

    let broker: Broker
    let base: String
    let device: FakeDevice
    let log = CollectingSink()
    let bridge: Bridge
    let configuration: BridgeConfiguration
    /// What the next reload finds.
    let file: LoadedFile

    fileprivate init(
        _ broker: Broker, base: String, device: FakeDevice, change: (inout BridgeConfiguration) -> Void
    ) {
        self.broker = broker
        self.base = base
        self.device = device
        var configuration = BridgeConfiguration()
        configuration.mqtt.server = ServerAddress(isTLS: false, host: broker.host, port: broker.port)
        configuration.mqtt.baseTopic = base
        configuration.mqtt.clientID = base
        configuration.homeAssistant.discoveryTopic = "ha-" + base
        configuration.homeAssistant.statusTopic = "ha-\(base)/status"
        var accessory = AccessoryConfiguration(id: Self.accessory)
        accessory.name = "Living Room"
        accessory.refreshInterval = .zero
        accessory.makeSettings = device.settings
        configuration.accessories = [accessory]
        change(&configuration)
        self.configuration = configuration
        let file = LoadedFile(configuration)
        self.file = file
        bridge = Bridge(configuration, log: Log([(.debug, log)])) { () throws(ConfigurationError) in try file.load() }
    }

    // MARK: Topics

    func topic(_ setting: String) -> String { "\(base)/\(Self.accessory)/\(setting)" }
    var state: String { "\(base)/bridge/state" }
    var responses: String { "\(base)/bridge/response/set" }
    var values: String { "\(base)/\(Self.accessory)" }

    /// A subscriber to everything of this bridge.
    func subscriber(extra: [String] = []) async throws -> Subscriber {
        try await Subscriber(to: ["\(base)/#"], on: broker, extra: extra)
    }

    func set(_ setting: String, _ payload: String, retain: Bool = false) async throws {
        try await broker.publish(topic: topic(setting) + "/set", payload: payload, retain: retain)
    }

    /// Publishes bytes that are no text.
    func set(_ setting: String, bytes: [UInt8]) async throws {
        let file = broker.directory.appendingPathComponent(UUID().uuidString)
        try Data(bytes).write(to: file)
        try await run(
            "mosquitto_pub",
            ["-h", broker.host, "-p", "\(broker.port)", "-t", topic(setting) + "/set", "-f", file.path])
    }

    /// What is retained on a topic now, asked by a client of its own; `nil` for nothing.
    func retained(_ topic: String) async throws -> String? {
        let messages = try await retained(below: topic)
        return messages[topic]
    }

    /// Everything retained that matches a filter.
    func retained(below filter: String) async throws -> [String: String] {
        let marker = "marker/\(UUID().uuidString)"
        let subscriber = try await Subscriber(to: [filter, marker], on: broker)
        defer { subscriber.stop() }
        try await broker.publish(topic: marker, payload: "end")
        try await subscriber.waitFor(topic: marker)
        return Dictionary(
            subscriber.messages.filter(\.isRetained).map { ($0.topic, $0.text) }, uniquingKeysWith: { $1 })
    }

    func waitUntilOnline(_ subscriber: Subscriber) async throws {
        try await subscriber.waitFor(topic: state, payload: "online")
        try await subscriber.waitFor(topic: topic("availability"), payload: "online")
    }

    /// Waits until the bridge has handled everything sent so far: a request goes the same way and is answered.
    func settle(_ subscriber: Subscriber) async throws {
        let mark = UUID().uuidString
        try await broker.publish(
            topic: "\(base)/bridge/request/refresh", payload: #"{"accessory":"nobody","transaction":"\#(mark)"}"#)
        try await waitUntil("the bridge to answer") {
            subscriber.messages(on: "\(base)/bridge/response/refresh").contains { $0.text.contains(mark) }
        }
    }

    /// Sends a request and waits for its answer on the bridge's own response topic.
    func request(
        _ verb: String, _ members: String = "", _ subscriber: Subscriber, base: String? = nil
    ) async throws -> [String: JSONValue] {
        let mark = UUID().uuidString
        let payload = "{" + members + (members.isEmpty ? "" : ", ") + #""transaction": "\#(mark)"}"#
        try await broker.publish(topic: "\(base ?? self.base)/bridge/request/\(verb)", payload: payload)
        var answer: ReceivedMessage?
        try await waitUntil("the answer to \(verb) \(members.prefix(100))") {
            answer = subscriber.messages(on: "\(base ?? self.base)/bridge/response/\(verb)")
                .first { $0.text.contains(mark) }
            return answer != nil
        }
        guard case .object(let object) = try JSONValue.parse(answer?.payload ?? []) else { return [:] }
        return object
    }

    /// Changes the configuration and has it reloaded by request.
    ///
    /// - Returns: what the answer says of it.
    func reload(_ subscriber: Subscriber, _ change: (inout BridgeConfiguration) -> Void) async throws -> JSONValue? {
        file.change(change)
        return try await request("reload", "", subscriber)["data"]
    }

    /// What was published of the accessory.
    func states(_ subscriber: Subscriber) -> [ReceivedMessage] {
        subscriber.messages.filter { $0.topic.hasPrefix(values) }
    }

    /// The answers on the bridge's own response topic.
    func codes(_ subscriber: Subscriber) -> [String] {
        subscriber.messages(on: responses).compactMap { Self.code($0.payload) }
    }

    static func code(_ answer: [UInt8]) -> String? {
        guard case .object(let members) = try? JSONValue.parse(answer), case .object(let error) = members["error"],
            case .string(let code) = error["code"]
        else { return nil }
        return code
    }
}

/// Stands for the configuration file.
final class LoadedFile: Sendable {
    private let content: Mutex<Result<BridgeConfiguration, ConfigurationError>>

    init(_ configuration: BridgeConfiguration) { content = Mutex(.success(configuration)) }

    private let isHeld = Mutex(false)

    func load() throws(ConfigurationError) -> BridgeConfiguration {
        // A file system that is slow holds up whoever reads, for 30 s at most.
        for _ in 0..<30_000 where isHeld.withLock({ $0 }) { usleep(1_000) }
        return try content.withLock { $0 }.get()
    }

    /// Keeps those who read waiting until ``letGo()``.
    func hold() { isHeld.withLock { $0 = true } }
    func letGo() { isHeld.withLock { $0 = false } }

    func change(_ change: (inout BridgeConfiguration) -> Void) {
        content.withLock { content in
            guard case .success(var configuration) = content else { return }
            change(&configuration)
            content = .success(configuration)
        }
    }

    func spoil(_ error: ConfigurationError) { content.withLock { $0 = .failure(error) } }
}

/// An accessory that is a fake device.
func fakeAccessory(_ id: String, _ device: FakeDevice) -> AccessoryConfiguration {
    var accessory = AccessoryConfiguration(id: id)
    accessory.refreshInterval = .zero
    accessory.makeSettings = device.settings
    return accessory
}

/// What a test changes in the configuration.
struct Setup {
    let change: (inout BridgeConfiguration) -> Void

    init(_ change: @escaping (inout BridgeConfiguration) -> Void) {
        self.change = change
    }
}

/// Runs a bridge with one accessory while the body runs, on the suite's broker unless another is given.
func withBridge(
    on broker: Broker? = nil, base: String? = nil, _ setup: Setup = Setup { _ in },
    device: FakeDevice? = nil, _ body: (BridgeFixture) async throws -> Void
) async throws {
    let broker = try #require(broker ?? Broker.ofSuite, "the suite has no broker")
    let fakeDevice: FakeDevice = if let device { device } else { FakeDevice() }
    let fixture = BridgeFixture(
        broker, base: base ?? "t\(UInt32.random(in: 0...UInt32.max))", device: fakeDevice, change: setup.change)
    let discovery = broker.isRunning ? try await Subscriber(to: ["ha-\(fixture.base)/device/#"], on: broker) : nil
    let running = Task { try await fixture.bridge.run() }
    do {
        try await body(fixture)
    } catch {
        await fakeDevice.letGo()
        await fixture.bridge.stop(within: .zero)
        _ = await running.result
        throw error
    }
    await fakeDevice.letGo()
    await fixture.bridge.stop(within: .milliseconds(500))
    _ = await running.result
    for message in discovery?.messages ?? [] {
        #expect(
            DiscoverySchema.errors(topic: message.topic, prefix: "ha-" + fixture.base, message.payload) == [],
            "Home Assistant refuses what was published on \(message.topic)")
    }
    discovery?.stop()
}

/// Keeps the log for the test to look at.
final class CollectingSink: LogSink {
    private let entries = Mutex<[LogEntry]>([])

    var lines: [String] { entries.withLock { $0.map { "\($0.level.rawValue) \($0.source): \($0.message)" } } }

    func write(_ entry: LogEntry) { entries.withLock { $0.append(entry) } }
}
