import AccessorySettings

/// One accessory at work: carries out what its ``SessionMachine`` decides.
///
/// Sessions never wait for each other. All of a session runs on its own actor, except for the providers, which run on
/// the main actor.
actor AccessorySession {
    nonisolated let configuration: AccessoryConfiguration
    private var machine: SessionMachine
    private let providers: AccessoryProviders
    private let progress: CallProgress
    private let output: any SessionOutput
    private var call: Task<Void, Never>?
    private var observations: [Task<Void, Never>] = []
    private var wake: (at: ContinuousClock.Instant, task: Task<Void, Never>)?
    private var idleWaiters: [CheckedContinuation<Void, Never>] = []

    init(
        _ configuration: AccessoryConfiguration, providers: AccessoryProviders, progress: CallProgress,
        formerSettings: [String], output: any SessionOutput
    ) {
        self.configuration = configuration
        self.providers = providers
        self.progress = progress
        self.output = output
        machine = SessionMachine(
            accessory: configuration.id,
            limits: SessionLimits(
                timeout: configuration.timeout, refreshInterval: configuration.refreshInterval,
                offlineAfter: configuration.offlineAfter),
            formerSettings: formerSettings)
    }

    var counters: SessionCounters { machine.counters }
    var isOnline: Bool { machine.isOnline }

    // MARK: Events

    func start() async {
        let warning = Task { [configuration, output] in
            try await Task.sleep(for: configuration.timeout)
            output.log(
                .error, accessory: configuration.id,
                "its filters and providers are still being made after \(configuration.timeout.text)")
        }
        let changes = await providers.open()
        warning.cancel()
        for stream in changes {
            observations.append(
                Task { [weak self] in
                    for await _ in stream { await self?.readAgain() }
                })
        }
        perform(machine.start(at: .now))
    }

    func receive(_ command: Command) {
        perform(machine.receive(command, at: .now))
    }

    func readAgain() {
        perform(machine.readAgain(at: .now))
    }

    func connected() {
        perform(machine.connected(at: .now))
    }

    func republish() {
        perform(machine.republish(at: .now))
    }

    func republishValues() {
        perform(machine.republishValues(at: .now))
    }

    func disconnected() {
        machine.disconnected()
    }

    func correct(_ topic: StateTopic) {
        perform(machine.correct(topic, at: .now))
    }

    /// Ends the session: waits until what is being written, and what waits to be written, is done.
    ///
    /// To be followed by ``abandon()``, when the time for it is up or it has returned.
    func finish() async {
        for observation in observations { observation.cancel() }
        perform(machine.stop(at: .now))
        guard !machine.isIdle else { return }
        await withCheckedContinuation { idleWaiters.append($0) }
    }

    /// Answers everybody who still waits, and calls no provider any more.
    func abandon() {
        perform(machine.abandon())
        call?.cancel()
        wake?.task.cancel()
    }

    // MARK: Acting

    private func perform(_ effects: [SessionMachine.Effect]) {
        for effect in effects {
            switch effect {
            case .call(let id, let changes): start(id, changes)
            case .cancelCall: call?.cancel()
            case .publish(let parts):
                output.publish(
                    AccessoryChange(
                        accessory: configuration, snapshot: machine.snapshot, isOnline: machine.isOnline, parts: parts))
            case .answer(let answer): output.answer(answer)
            case .log(let level, let message): output.log(level, accessory: configuration.id, message)
            }
        }
        if machine.isIdle, !idleWaiters.isEmpty {
            for waiter in idleWaiters { waiter.resume() }
            idleWaiters = []
        }
        scheduleWake()
    }

    private func start(_ id: Int, _ changes: [Setting]) {
        call = Task { @MainActor [providers] in
            let result = await providers.call(changes)
            await self.returned(result, call: id)
        }
    }

    private func returned(_ result: CallResult, call id: Int) {
        perform(machine.returned(result, call: id, at: .now))
    }

    /// Keeps one timer, for the earliest deadline. A timer that comes too early does no harm, so that a busy session
    /// does not make a new one for each call.
    private func scheduleWake() {
        guard let deadline = machine.nextDeadline else { return }
        if let wake, wake.at <= deadline { return }
        wake?.task.cancel()
        wake = (
            deadline,
            Task { [weak self] in
                try? await Task.sleep(until: deadline, clock: .continuous)
                guard !Task.isCancelled else { return }
                await self?.wakeUp()
            }
        )
    }

    private func wakeUp() {
        wake = nil
        perform(machine.tick(at: .now, entered: progress.entered))
    }
}

/// Where a session's results go. Called on the session's actor; must not block.
protocol SessionOutput: Sendable {
    func publish(_ change: AccessoryChange)
    func answer(_ answer: Answer)
    func log(_ level: LogLevel, accessory: String, _ message: String)
}
