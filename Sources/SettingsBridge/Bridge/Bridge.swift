public import AccessorySettings
import Foundation
package import HomeKit
package import MQTT

/// Why a bridge could not run.
public enum BridgeError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Another bridge is at work on the same base topic.
    case baseTopicInUse(String, byClient: String)

    public var description: String {
        switch self {
        case .baseTopicInUse(let base, let client):
            "another bridge, with the client id '\(client)', runs on the base topic '\(base)'; give this one a base_topic of its own, or stop the other. If there is none, clear what it left: mosquitto_pub -r -n -t '\(base)/bridge/state'"
        }
    }
}

/// The bridge: accessories on the one side, a broker on the other.
public actor Bridge {
    public static let version = "0.1.0"

    let configuration: BridgeConfiguration
    private let extensionSettings: [HomeAccessorySettings]
    let topics: BridgeTopics
    private let log: Log
    private let conventions: [any Convention]
    let started = ContinuousClock.now
    let startDate = Date()

    var isStopping = false
    private var sweepClient: MQTTClient?
    var running: Running?
    var correcting: Task<Void, Never>?
    /// Tries again to subscribe.
    private var subscribing: Task<Void, Never>?
    var isHealthDue = false
    var corrections = Corrections<String>()

    /// What exists once the sweep is done.
    struct Running {
        var client: MQTTClient
        var outbox: Outbox
        var output: BridgeOutput
        var router: Router
        var sessions: [AccessorySession]
        var progress: [CallProgress]
        var clearing: [MQTTMessage]
        /// Topics of retained commands that the log has not spoken of yet.
        var retainedCommands: [String]
        var version: MQTTProtocolVersion?
    }

    /// - Parameter extensionSettings: what serves the accessories that have no `provider` of their own, by filter.
    public init(_ configuration: BridgeConfiguration, extensionSettings: [HomeAccessorySettings] = [], log: Log) {
        self.configuration = configuration
        self.extensionSettings = extensionSettings
        self.log = log
        topics = BridgeTopics(base: configuration.mqtt.baseTopic)
        conventions = configuration.conventions()
    }

    /// Runs until ``stop()``. Waits for the broker for as long as it takes.
    ///
    /// - Throws: ``BridgeError`` when another bridge owns the base topic; nothing was published then.
    public func run() async throws(BridgeError) {
        guard let findings = await sweep() else { return }
        if let other = findings.otherBridge(than: configuration.mqtt.clientID) {
            throw .baseTopicInUse(topics.base, byClient: other)
        }
        guard !isStopping else { return }
        let running = start(after: findings)
        self.running = running
        let watchdog = MainActorWatchdog(watching: running.progress, log: running.output.log)
        // Not in the group: a provider that blocks the main actor must not keep the bridge from ending.
        for session in running.sessions { Task { await session.start() } }
        await withDiscardingTaskGroup { group in
            let background = [
                Task { await watchdog.run() }, Task { await self.publishHealth() },
            ]
            group.addTask { await self.handle(running.client.events, running.router) }
            await running.client.run()
            for task in background { task.cancel() }
        }
    }

    /// Stops cleanly: refuses further commands, finishes what is being written, says `offline`, leaves the broker.
    ///
    /// - Parameter limit: how long writes that run or wait may take. What is not done then is answered `stopping`.
    public func stop(within limit: Duration = .seconds(3)) async {
        guard !isStopping else { return }
        isStopping = true
        await sweepClient?.stop()
        guard let running else { return }
        log.info("bridge", "stopping")
        // The subscriptions stay: what comes until the end is answered, and what comes later waits at the broker for the
        // next run, for as long as the session lives there.
        await finish(running.sessions, within: limit)
        running.outbox.finish(
            with: MQTTMessage(topic: topics.state, payload: PlainTopics.offline, isRetained: true))
        let isSaid = await running.client.flush(within: .seconds(1))
        // Where `offline` did not arrive the will says it.
        await running.client.stop(keepingWill: !isSaid)
        log.info("bridge", "stopped")
    }

    // MARK: Starting

    private func sweep() async -> SweepFindings? {
        guard !isStopping else { return nil }
        var settings = configuration.mqtt.clientConfiguration
        settings.clientID += "-sweep"
        settings.sessionExpiryInterval = 0
        let client = MQTTClient(settings)
        sweepClient = client
        defer { sweepClient = nil }
        return await Sweep(
            client: client, topics: topics, conventionFilters: conventions.flatMap(\.sweepFilters), log: log
        ).run()
    }

    private func start(after findings: SweepFindings) -> Running {
        var settings = configuration.mqtt.clientConfiguration
        settings.will = MQTTMessage(topic: topics.state, payload: PlainTopics.offline, isRetained: true)
        if configuration.mqtt.version == .automatic, let version = findings.version {
            settings.version = version == .v5 ? .v5 : .v311
        }
        let inlet = MessageInlet()
        let client = MQTTClient(settings) { inlet.take($0, $1) }
        let outbox = Outbox(client)
        let output = BridgeOutput(
            topics: topics, conventions: conventions, outbox: outbox,
            log: log.adding(TopicLogSink(topic: topics.log, outbox: outbox), from: .warning),
            availabilityChanged: { [weak self] in Task { await self?.publishHealthSoon() } })
        let progress = configuration.accessories.map { CallProgress(accessory: $0.id) }
        let sessions = zip(configuration.accessories, progress).map { accessory, progress in
            AccessorySession(
                accessory,
                providers: AccessoryProviders(
                    accessory: HMAccessory(accessory), candidates: accessory.candidates(extensionSettings),
                    progress: progress),
                progress: progress, formerSettings: findings.settings[accessory.id] ?? [], output: output)
        }
        let sessionsByID = Dictionary(
            zip(configuration.accessories.map(\.id), sessions), uniquingKeysWith: { first, _ in first })
        let router = Router(
            topics: topics, map: TopicMap(base: topics.base, accessories: sessionsByID.keys), sessions: sessionsByID,
            output: output, requests: Requests(sessions: sessionsByID, output: output),
            discoveryTopic: configuration.homeAssistant.discoveryTopic,
            correctBridge: { [weak self] topic in Task { await self?.correct(topic) } })
        let outlet = ConventionOutlet(
            publish: { outbox.publish($0) },
            republish: { for session in sessions { session.republish() } },
            republishValues: { sessionsByID[$0]?.republishValues() })
        for convention in conventions { convention.attach(outlet) }
        inlet.open(to: router)
        return Running(
            client: client, outbox: outbox, output: output, router: router, sessions: sessions, progress: progress,
            // Entities go before their states do, so that nobody has to make sense of a cleared state.
            clearing: conventions.flatMap { $0.clearing(findings.outside) }
                + findings.clearing(allBut: Set(sessionsByID.keys), topics),
            retainedCommands: findings.commands)
    }

    // MARK: The connection

    private nonisolated func handle(_ events: MQTTEvents, _ router: Router) async {
        var report = ConnectionReport(log: router.output.log)
        for await event in events {
            report.note(event)
            switch event {
            case .connected(let connection): await connected(connection)
            case .disconnected: await disconnected()
            case .roomForPublishes: router.output.outbox.roomForPublishes()
            case .message, .connectionFailed, .publishRefused: break
            }
        }
    }

    private func connected(_ connection: MQTTConnection) async {
        guard !isStopping else { return }
        running?.version = connection.protocolVersion
        guard let running else { return }
        subscribing?.cancel()
        guard await subscribe(running, connection.protocolVersion), !isStopping else { return }
        running.outbox.connected()
        running.outbox.publish(running.clearing)
        warnOfRetainedCommands(running)
        running.outbox.publish(conventions.flatMap { $0.bridgeMessages() })
        // Accessories first: where the bridge is online, everything below it is as it says.
        for session in running.sessions { session.connected() }
        publishInfo(connection.protocolVersion)
        await publishHealthNow()
        guard !isStopping else { return }
        running.outbox.publish([MQTTMessage(topic: topics.state, payload: PlainTopics.online, isRetained: true)])
    }

    /// Subscribes to the commands; where the broker refuses, again every ten seconds.
    ///
    /// - Returns: `false` if there is no connection any more.
    private func subscribe(_ running: Running, _ version: MQTTProtocolVersion) async -> Bool {
        let subscriptions = running.router.map.subscriptions(version) + conventions.flatMap(\.subscriptions)
        do throws(MQTTError) {
            try await running.client.subscribe(subscriptions)
        } catch {
            if case .notConnected = error { return false }
            running.output.log.error("mqtt", "no commands can be received: \(error)")
            subscribing = Task {
                while !Task.isCancelled {
                    try? await Task.sleep(for: .seconds(10))
                    guard !Task.isCancelled, (try? await running.client.subscribe(subscriptions)) == nil else { break }
                }
                if !Task.isCancelled { running.output.log.info("mqtt", "commands can be received now") }
            }
        }
        return true
    }

    private func warnOfRetainedCommands(_ running: Running) {
        for topic in running.retainedCommands {
            let quoted = "'\(topic.replacing("'", with: "'\\''"))'"
            running.output.log.warning(
                "mqtt",
                "a retained command lies on \(topic); it is not carried out. To clear it: mosquitto_pub -r -n -t \(quoted)"
            )
        }
        self.running?.retainedCommands = []
    }

    private func disconnected() async {
        running?.outbox.disconnected()
        for session in running?.sessions ?? [] { session.disconnected() }
    }

    // MARK: Stopping

    private func finish(_ sessions: [AccessorySession], within limit: Duration) async {
        let timer = Task {
            try? await Task.sleep(for: limit)
            for session in sessions { session.abandon() }
        }
        await withDiscardingTaskGroup { group in
            for session in sessions { group.addTask { await session.finish() } }
        }
        timer.cancel()
        await timer.value
    }
}

extension AccessoryConfiguration {
    /// What may serve the accessory: its own provider, or else what the extension offers.
    func candidates(_ extensionSettings: [HomeAccessorySettings]) -> @MainActor @Sendable () -> [HomeAccessorySettings]
    {
        if let makeSettings { return { [makeSettings()] } }
        return { extensionSettings }
    }
}

extension HMAccessory {
    /// The accessory as providers and filters see it.
    package convenience init(_ accessory: AccessoryConfiguration) {
        self.init(
            name: accessory.name, uniqueIdentifier: accessory.uuid,
            category: accessory.category.flatMap(HMAccessoryCategory.init(word:))
                ?? HMAccessoryCategory(HMAccessoryCategoryTypeOther),
            room: accessory.room.map {
                HMRoom(name: $0, uniqueIdentifier: .version5(of: "room:" + $0, in: .accessoryNamespace))
            },
            manufacturer: accessory.manufacturer, model: accessory.model, firmwareVersion: accessory.firmware)
    }
}

extension MQTTSettings {
    /// The connection as the client takes it, without a will.
    package var clientConfiguration: MQTTConfiguration {
        MQTTConfiguration(
            host: server.host, port: server.port, clientID: clientID, user: user, password: password,
            tls: server.isTLS
                ? TLSConfiguration(
                    ca: ca, certificate: cert, key: key, serverName: serverName, rejectUnauthorized: rejectUnauthorized)
                : nil,
            version: clientVersion, keepAlive: keepalive,
            sessionExpiryInterval: UInt32(clamping: sessionExpiry.components.seconds))
    }

    private var clientVersion: MQTTConfiguration.ProtocolVersionChoice {
        switch version {
        case .automatic: .automatic
        case .v5: .v5
        case .v311: .v311
        }
    }
}
