import MQTT

/// Taking over another configuration while the bridge runs.
///
/// A configuration that can't be used changes nothing. Accessories that are configured as before go on undisturbed; a
/// changed one first finishes what it was told, and what comes for it meanwhile waits for its next session.
extension Bridge {
    /// How long the broker of another configuration may take to show that it can be used.
    private static let sweepLimit = Duration.seconds(15)

    /// Reads the configuration again and takes it over. One reload at a time; those who ask while one runs share the next.
    ///
    /// - Parameters:
    ///   - asker: who wants it, for the log.
    ///   - report: called once it is clear what happens, on the connection on which it was asked for.
    public func reload(
        for asker: String, report: @escaping @Sendable (Result<ReloadReport, ReloadError>) -> Void = { _ in }
    ) async {
        reloads.reports.append(report)
        if let next = reloads.next { return await next.value }
        let running = reloads.running
        let next = Task {
            await running?.value
            let reports = reloads.begin()
            do throws(ReloadError) {
                log.write(.info, "configuration", isItem: true) { "is read again (\(asker))" }
                try await reloadNow { result in for report in reports { report(.success(result)) } }
            } catch {
                logFailure(error)
                for report in reports { report(.failure(error)) }
            }
        }
        reloads.next = next
        await next.value
    }

    private func logFailure(_ error: ReloadError) {
        guard case .faults(let faults) = error else {
            return log.write(.error, "configuration", isItem: true) { "nothing was changed: \(error)" }
        }
        log.write(.error, "configuration", isItem: true) { "nothing was changed: the configuration has faults" }
        for fault in faults.faults { log.write(.error, "configuration", isItem: true) { fault.description } }
    }

    private func reloadNow(_ report: @Sendable (ReloadReport) -> Void) async throws(ReloadError) {
        let new = try await loadAgain()
        let reconnects = !new.hasSameLink(as: configuration)
        var next: Link?
        if reconnects, link?.version != nil { next = try await linkTried(new) }
        guard !isStopping else { throw .stopping }
        for warning in new.warnings { log.warning("configuration", warning) }
        var done = replaceSessions(by: new)
        done.reconnects = reconnects
        let old = configuration
        configuration = new
        log.control.apply(new.log)
        log.write(.info, "configuration", isItem: true) { done.sentence }
        report(done)
        if reconnects {
            await leave(old, for: next)
        } else {
            publishInfo()
            publishHealth()
        }
        if new.healthInterval != old.healthInterval { scheduleHealth() }
    }

    private func loadAgain() async throws(ReloadError) -> BridgeConfiguration {
        guard let load else { throw .noFile }
        // Reading files may take a while; the bridge goes on meanwhile.
        let result = await Task.detached { () -> Result<BridgeConfiguration, ConfigurationError> in
            do throws(ConfigurationError) {
                return .success(try load())
            } catch {
                return .failure(error)
            }
        }.value
        switch result {
        case .success(let configuration): return configuration
        case .failure(let error): throw .faults(error)
        }
    }

    /// Tries the broker of another configuration while the present connection goes on.
    private func linkTried(_ new: BridgeConfiguration) async throws(ReloadError) -> Link {
        let client = new.sweepClient
        sweepClients[ObjectIdentifier(client)] = client
        defer { sweepClients[ObjectIdentifier(client)] = nil }
        do throws(SweepFailure) {
            let findings = try await Sweep(client: client, new, log: log).attempt(within: Self.sweepLimit)
            if let other = findings.otherBridge(than: [new.mqtt.clientID, configuration.mqtt.clientID]) {
                let error = BridgeError.baseTopicInUse(new.mqtt.baseTopic, byClient: other)
                throw SweepFailure(reason: error.description)
            }
            return makeLink(after: findings, new)
        } catch {
            throw isStopping ? .stopping : .brokerUnusable(new.mqtt.server.description, reason: error.reason)
        }
    }

    // MARK: Accessories

    private func replaceSessions(by new: BridgeConfiguration) -> ReloadReport {
        var report = ReloadReport()
        // Before the first connection there is nothing yet.
        guard let link else { return report }
        let old = sessions.current
        var ended: [AccessorySession] = []
        var begun: [AccessorySession] = []
        sessions.current = new.accessories.map { accessory in
            let former = old.first { $0.configuration.id.hasSameBytes(as: accessory.id) }
            if let former, former.configuration == accessory { return former }
            let session = makeSession(accessory)
            begun.append(session)
            if former == nil { report.added.append(accessory.id) } else { report.changed.append(accessory.id) }
            return session
        }
        for session in old where !sessions.current.contains(where: { $0 === session }) {
            ended.append(session)
            let id = session.configuration.id
            if !report.changed.contains(where: { $0.hasSameBytes(as: id) }) { report.removed.append(id) }
        }
        guard !ended.isEmpty || !begun.isEmpty else { return report }
        for id in report.added {
            self.link?.keep(id)
            nextLink?.keep(id)
        }
        inlet.open(to: makeRouter(link)) {
            for session in ended {
                guard let successor = sessions[session.configuration.id] else { continue }
                for command in session.takeUnservedCommands() { successor.receive(command) }
            }
        }
        for session in ended { end(session) }
        for session in begun where sessions.predecessor(of: session) == nil { begin(session) }
        watchdog.watch(sessions.all.map(\.progress))
        return report
    }

    /// Lets a session finish what it was told, then begins the next one or clears what is left of the accessory.
    private func end(_ session: AccessorySession) {
        // One that waits for its predecessor has published nothing yet.
        let hasBegun = sessions.predecessor(of: session) == nil
        if hasBegun { sessions.ending.append(session) }
        let isReplaced = sessions[session.configuration.id] != nil
        Task {
            await session.finish(isReplaced ? .isReplaced : .isRemoved)
            session.abandon()
            // Before the next one begins: they may hold what it needs, such as a serial port.
            await session.close()
            if hasBegun { ended(session) }
        }
    }

    private func ended(_ session: AccessorySession) {
        sessions.ending.removeAll { $0 === session }
        watchdog.watch(sessions.all.map(\.progress))
        guard !isStopping else { return }
        let id = session.configuration.id
        let successor = sessions[id]
        if let successor, successor.configuration.id.hasSameBytes(as: id) {
            successor.note(formerSettings: successor.knownSettings + session.knownSettings)
        } else if let link {
            for convention in link.conventions { convention.forget(id) }
            clear(link.clearing([(id, session.knownSettings)]))
        }
        if let successor { begin(successor) }
    }

    private func begin(_ session: AccessorySession) {
        if link?.version != nil { session.connected() }
        start(session)
    }

    // MARK: The connection

    /// Leaves the connection for another one.
    ///
    /// - Parameter next: prepared already, unless there is no connection now: then it is prepared for as long as it takes.
    private func leave(_ old: BridgeConfiguration, for next: Link?) async {
        for client in sweepClients.values { await client.stop() }
        guard let link else { return }
        // From here on nothing is published there but what follows, also by sessions that begin meanwhile.
        self.link?.version = nil
        isLeaving = true
        for session in sessions.active { session.disconnected() }
        subscribing?.cancel()
        let clearing = clearing(link, old)
        if let version = link.version {
            await send(clearing, link)
            // What comes there is no longer for the bridge; or it would wait in a session that nobody comes back to. Else
            // what comes meanwhile waits at the broker.
            let waits = configuration.hasSameBase(as: old) && configuration.mqtt.clientID == old.mqtt.clientID
            let wanted = configuration.conventions().flatMap(\.subscriptions).map(\.filter)
            let unwanted = link.subscriptions(version).map(\.filter).filter { filter in
                link.topics.contain(filter) ? !waits : !wanted.contains(filter)
            }
            try? await link.client.unsubscribe(unwanted)
        } else if configuration.mqtt.server == old.mqtt.server {
            leftBehind += clearing
        }
        nextLink = next
        let isGone = !configuration.hasSameBase(as: old)
        link.outbox.leave(
            with: MQTTMessage(
                topic: link.topics.state, payload: isGone ? [] : PlainTopics.offline, isRetained: true))
        // Longer than at a stop, which is in a hurry: what a slow broker has not taken by then is lost, answers among it.
        let isSaid = await link.client.flush(within: .seconds(5))
        await link.client.stop(keepingWill: !isSaid)
    }

    /// The messages that clear what nobody would find any more: everything below another base topic, or all announcements
    /// to Home Assistant where they move or end.
    private func clearing(_ link: Link, _ old: BridgeConfiguration) -> [MQTTMessage] {
        guard !configuration.hasSameTopics(as: old) else { return [] }
        let clearing =
            link.clearing(sessions.all.map { ($0.configuration.id, $0.knownSettings) })
            + link.conventions.flatMap { $0.clearingOfBridge() }
        guard configuration.hasSameBase(as: old) else { return clearing }
        return clearing.filter { !link.topics.contain($0.topic) }
    }

    private func send(_ messages: [MQTTMessage], _ link: Link) async {
        link.outbox.publish(messages)
        let deadline = ContinuousClock.now.advanced(by: .seconds(3))
        while !messages.isEmpty, !link.outbox.isEmpty, ContinuousClock.now < deadline {
            guard await link.client.flush(within: .seconds(1)) else { return }
            // The event that says so may be on its way.
            link.outbox.roomForPublishes()
        }
    }
}

/// The reloads that are asked for: one runs, one waits.
struct Reloads: Sendable {
    typealias Report = @Sendable (Result<ReloadReport, ReloadError>) -> Void

    var running: Task<Void, Never>?
    /// The one that waits.
    var next: Task<Void, Never>?
    /// Of those who asked for the one that waits.
    var reports: [Report] = []

    mutating func begin() -> [Report] {
        running = next
        next = nil
        defer { reports = [] }
        return reports
    }
}

extension BridgeConfiguration {
    fileprivate func hasSameBase(as other: BridgeConfiguration) -> Bool {
        mqtt.baseTopic.hasSameBytes(as: other.mqtt.baseTopic)
    }

    /// Whether all that was published under the other configuration is still where it belongs.
    fileprivate func hasSameTopics(as other: BridgeConfiguration) -> Bool {
        hasSameBase(as: other)
            && (!other.homeAssistant.isEnabled
                || homeAssistant.isEnabled && homeAssistant.discoveryTopic == other.homeAssistant.discoveryTopic)
    }
}
