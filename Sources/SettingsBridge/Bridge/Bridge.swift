public import AccessorySettings
import Foundation
import MQTT

/// The bridge: accessories on the one side, a broker on the other.
public actor Bridge {
    public static let version = "0.1.0"

    /// Reads the configuration again.
    public typealias ConfigurationLoader = @Sendable () throws(ConfigurationError) -> BridgeConfiguration

    var configuration: BridgeConfiguration
    let load: ConfigurationLoader?
    private let extensionSettings: [HomeAccessorySettings]
    let output: BridgeOutput
    let currentLink = CurrentLink()
    let inlet = MessageInlet()
    let watchdog: MainActorWatchdog
    let availabilityChanges: AsyncStream<Void>
    /// How the connection to the broker fares, in a sentence; only the newest is kept.
    public nonisolated let connectionStates: AsyncStream<String>
    let connectionStateChanged: @Sendable (String) -> Void
    let started = ContinuousClock.now
    let startDate = Date()

    var isStopping = false
    /// The clients of sweeps that run.
    var sweepClients: [ObjectIdentifier: MQTTClient] = [:]
    var sessions = Sessions()
    var link: Link?
    /// The connection that a reload has prepared.
    var nextLink: Link?
    /// Whether the link is being left for another one.
    var isLeaving = false
    /// What is to be cleared of a link that was left while there was no connection.
    var leftBehind: [MQTTMessage] = []
    /// Publishes the health now and then.
    var healthTask: Task<Void, Never>?
    var correcting: Task<Void, Never>?
    /// Tries again to subscribe.
    var subscribing: Task<Void, Never>?
    var refusals = BrokerRefusals()
    var corrections = Corrections<String>()
    var reloads = Reloads()
    /// How many requests wait to be answered by the bridge itself.
    let requestsUnderWay = RequestCount()

    var log: Log { output.log }

    /// - Parameters:
    ///   - extensionSettings: what serves the accessories that have no `provider` of their own, by filter.
    ///   - load: for reloads; `nil` where the configuration is built in.
    public init(
        _ configuration: BridgeConfiguration, extensionSettings: [HomeAccessorySettings] = [], log: Log,
        load: ConfigurationLoader? = nil
    ) {
        self.configuration = configuration
        self.extensionSettings = extensionSettings
        self.load = load
        let (changes, changed) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        availabilityChanges = changes
        let (states, state) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(1))
        connectionStates = states
        connectionStateChanged = { state.yield($0) }
        let control = log.control
        let log = log.adding(LimitedLogSink(TopicLogSink(link: currentLink))) { control.publishedLevel }
        output = BridgeOutput(link: currentLink, log: log) { changed.yield() }
        watchdog = MainActorWatchdog(log: log)
    }

    /// Runs until ``stop(within:)``. Waits for the broker for as long as it takes.
    ///
    /// - Throws: ``BridgeError`` when another bridge owns the base topic; nothing was published then.
    public func run() async throws(BridgeError) {
        let background = [Task { await watchdog.run() }, Task { await publishHealthAfterChanges() }]
        scheduleHealth()
        defer {
            for task in background + [healthTask].compactMap(\.self) { task.cancel() }
            // They hold each other.
            inlet.close()
            currentLink.clear()
        }
        while !isStopping {
            guard let link = try await prepareLink() else { continue }
            begin(link)
            await serve(link)
        }
    }

    /// Stops cleanly: refuses further commands, finishes what is being written, says `offline`, leaves the broker.
    ///
    /// - Parameter limit: how long writes that run or wait may take. What is not done then is answered `stopping`.
    public func stop(within limit: Duration = .seconds(3)) async {
        guard !isStopping else { return }
        isStopping = true
        for client in sweepClients.values { await client.stop() }
        for task in [subscribing, correcting, refusals.watch] { task?.cancel() }
        guard let link else { return }
        log.info("bridge", "stopping")
        // The subscriptions stay: what comes until the end is answered, and what comes later waits at the broker for the
        // next run, for as long as the session lives there.
        await sessions.finish(within: limit)
        link.outbox.finish(
            with: MQTTMessage(topic: link.topics.state, payload: PlainTopics.offline, isRetained: true))
        let isSaid = await link.client.flush(within: .seconds(1))
        // Where `offline` did not arrive the will says it.
        await link.client.stop(keepingWill: !isSaid)
        log.info("bridge", "stopped")
    }

    /// Whether the bridge is at work, for a supervisor that restarts it otherwise. Never answers where it hangs.
    ///
    /// - Parameter limit: how long a provider may block the main actor, and with it all other providers.
    public func isAlive(toleratingBlocks limit: Duration) -> Bool { watchdog.blockedFor < limit }

    // MARK: Starting

    /// - Returns: `nil` when the bridge is stopped, or its configuration changed, meanwhile.
    private func prepareLink() async throws(BridgeError) -> Link? {
        if let nextLink {
            self.nextLink = nil
            return nextLink
        }
        let chosen = configuration
        guard let findings = await sweep(chosen), !isStopping, configuration.hasSameLink(as: chosen) else { return nil }
        let own = [configuration.mqtt.clientID, link?.clientID].compactMap(\.self)
        if let other = findings.otherBridge(than: own) {
            throw .baseTopicInUse(configuration.mqtt.baseTopic, byClient: other)
        }
        return makeLink(after: findings, configuration)
    }

    /// Reads what earlier runs left on the broker, for as long as it takes.
    private func sweep(_ configuration: BridgeConfiguration) async -> SweepFindings? {
        let client = configuration.sweepClient
        sweepClients[ObjectIdentifier(client)] = client
        defer { sweepClients[ObjectIdentifier(client)] = nil }
        guard !isStopping else { return nil }
        return await Sweep(client: client, configuration, log: log, status: connectionStateChanged).run()
    }

    func makeLink(after findings: SweepFindings, _ configuration: BridgeConfiguration) -> Link {
        let topics = BridgeTopics(base: configuration.mqtt.baseTopic)
        var settings = configuration.mqtt.clientConfiguration
        settings.will = MQTTMessage(topic: topics.state, payload: PlainTopics.offline, isRetained: true)
        if configuration.mqtt.version == .automatic, let version = findings.version {
            settings.version = version == .v5 ? .v5 : .v311
        }
        let inlet = inlet
        let client = MQTTClient(settings) { inlet.take($0, $1) }
        let outbox = Outbox(client) { [output] in $0.forEach(output.report) }
        let conventions = configuration.conventions()
        for convention in conventions {
            convention.attach(
                ConventionOutlet(
                    publish: { outbox.publish($0) }, republish: { [weak self] in await self?.republish() },
                    republishValues: { [weak self] in await self?.sessions[$0]?.republishValues() }))
        }
        var link = Link(
            clientID: settings.clientID, topics: topics, conventions: conventions, client: client, outbox: outbox,
            discoveryTopic: configuration.homeAssistant.discoveryTopic, formerSettings: findings.settings, clearing: [],
            retainedCommands: findings.commands)
        let accessories = configuration.accessories.map(\.id)
        let gone = Set(findings.settings.keys).union(findings.accessories).subtracting(accessories).sorted()
        // What lies outside the base topic the conventions have just looked through.
        link.clearing =
            conventions.flatMap { $0.clearing(findings.outside, allBut: accessories) }
            + link.clearing(gone.map { ($0, findings.settings[$0] ?? []) })
            .filter { topics.contain($0.topic) }
        return link
    }

    /// Makes a link the one that is in use.
    private func begin(_ link: Link) {
        let former = self.link
        self.link = link
        self.link?.clearing += leftBehind
        leftBehind = []
        isLeaving = false
        currentLink.set(link)
        former?.outbox.handOver(to: link.outbox)
        let isFirst = sessions.isEmpty
        if isFirst { sessions.current = configuration.accessories.map(makeSession) }
        for session in sessions.current {
            session.note(formerSettings: link.formerSettings[session.configuration.id] ?? [])
        }
        inlet.open(to: makeRouter(link))
        watchdog.watch(sessions.all.map(\.progress))
        if isFirst { for session in sessions.current { start(session) } }
    }

    func makeSession(_ accessory: AccessoryConfiguration) -> AccessorySession {
        AccessorySession(accessory, candidates: accessory.candidates(extensionSettings, log: log), output: output)
    }

    func makeRouter(_ link: Link) -> Router {
        let sessions = Dictionary(
            sessions.current.map { ($0.configuration.id, $0) }, uniquingKeysWith: { first, _ in first })
        return Router(
            topics: link.topics, map: link.map(of: sessions.keys), sessions: sessions, conventions: link.conventions,
            output: output,
            requests: Requests(
                sessions: sessions, output: output,
                askBridge: { [weak self, requestsUnderWay] request in
                    guard requestsUnderWay.add() else { return false }
                    Task {
                        await self?.answer(request)
                        requestsUnderWay.remove()
                    }
                    return true
                }),
            discoveryTopic: link.discoveryTopic,
            correctBridge: { [weak self] topic in Task { await self?.correct(topic) } })
    }

    /// Not in the group of what runs: a provider that blocks the main actor must not keep the bridge from ending.
    nonisolated func start(_ session: AccessorySession) {
        Task { await session.start() }
    }

    private func republish() {
        for session in sessions.active { session.republish() }
    }

    private func serve(_ link: Link) async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.handle(link.client.events) }
            await link.client.run()
        }
    }
}

extension BridgeConfiguration {
    /// Whether nothing differs that belongs to the broker and what is published there of the bridge.
    func hasSameLink(as other: BridgeConfiguration) -> Bool {
        mqtt == other.mqtt && homeAssistant == other.homeAssistant
    }

    /// A client for a sweep: never with the bridge's own client identifier.
    var sweepClient: MQTTClient {
        var settings = mqtt.clientConfiguration
        settings.clientID += "-sweep"
        settings.sessionExpiryInterval = 0
        return MQTTClient(settings)
    }
}
