import AccessorySettings
import HomeKit
import Synchronization

/// One accessory at work: carries out what its ``SessionMachine`` decides.
///
/// Sessions never wait for each other. A session has no thread or executor of its own: whoever brings an event, the
/// network thread with a message or the main actor with the result of a call, carries it out at once, under the
/// session's lock. That saves two changes of thread for each command; what happens under the lock takes microseconds and
/// never calls a provider. Locks are taken in the order session, convention, outbox, client.
final class AccessorySession: Sendable {
    private struct State {
        var machine: SessionMachine
        var call: Task<Void, Never>?
        var observations: [Task<Void, Never>] = []
        var wake: (at: ContinuousClock.Instant, task: Task<Void, Never>)?
        var idleWaiters: [CheckedContinuation<Void, Never>] = []
    }

    let configuration: AccessoryConfiguration
    private let providers: AccessoryProviders
    let progress: CallProgress
    private let output: any SessionOutput
    private let state: Mutex<State>

    init(
        _ configuration: AccessoryConfiguration,
        candidates: @escaping @MainActor @Sendable () -> [HomeAccessorySettings],
        output: any SessionOutput
    ) {
        self.configuration = configuration
        progress = CallProgress(accessory: configuration.id)
        providers = AccessoryProviders(
            accessory: HMAccessory(configuration), candidates: candidates, progress: progress)
        self.output = output
        let limits = SessionLimits(
            timeout: configuration.timeout, refreshInterval: configuration.refreshInterval,
            offlineAfter: configuration.offlineAfter)
        state = Mutex(
            State(machine: SessionMachine(accessory: configuration.id, limits: limits)))
    }

    var counters: SessionCounters { state.withLock { $0.machine.counters } }
    var isOnline: Bool { state.withLock { $0.machine.isOnline } }
    /// `nil` until the accessory was read for the first time.
    var snapshot: Snapshot? { state.withLock { $0.machine.snapshot } }
    /// The identifiers of all settings that may have topics.
    var knownSettings: [String] { state.withLock { $0.machine.knownSettings } }

    // MARK: Events

    /// Takes note of the settings that an earlier run or session has published: the topics of those that are no longer
    /// there are cleared.
    func note(formerSettings: [String]) {
        state.withLock { $0.machine.moved(formerSettings: formerSettings) }
    }

    /// Takes out the commands that nothing was done about yet, for the session that comes in this one's place.
    func takeUnservedCommands() -> [Command] { state.withLock { $0.machine.takeUnservedCommands() } }

    /// Makes the providers and reads for the first time.
    func start() async {
        let warning = Task { [configuration, output] in
            try await Task.sleep(for: configuration.timeout)
            output.log(
                .error, accessory: configuration.id,
                "its filters and providers are still being made after \(configuration.timeout.text)")
        }
        let changes = await providers.open()
        warning.cancel()
        if case .success = await warning.result {
            output.log(.info, accessory: configuration.id, "its filters and providers are made now")
        }
        let observations = changes.map { stream in
            Task { [weak self] in
                for await _ in stream { self?.readAgain() }
            }
        }
        let hasEnded = state.withLock { state in
            state.observations = observations
            return state.machine.end != nil
        }
        if hasEnded { for observation in observations { observation.cancel() } }
        perform { $0.start(at: .now) }
    }

    func receive(_ command: Command) { perform { $0.receive(command, at: .now) } }
    func readAgain() { perform { $0.readAgain(at: .now) } }
    func connected() { perform { $0.connected(at: .now) } }
    func republish() { perform { $0.republish(at: .now) } }
    func republishValues() { perform { $0.republishValues(at: .now) } }
    func correct(_ topic: StateTopic) { perform { $0.correct(topic, at: .now) } }

    func disconnected() {
        perform { machine in
            machine.disconnected()
            return []
        }
    }

    /// Ends the session: waits until what is being written, and what waits to be written, is done.
    ///
    /// To be followed by ``abandon()``, when the time for it is up or it has returned.
    func finish(_ end: SessionEnd) async {
        for observation in state.withLock({ $0.observations }) { observation.cancel() }
        perform { $0.stop(end) }
        await withCheckedContinuation { waiter in
            let isIdle = state.withLock { state in
                if !state.machine.isIdle { state.idleWaiters.append(waiter) }
                return state.machine.isIdle
            }
            if isIdle { waiter.resume() }
        }
    }

    /// Answers everybody who still waits, and calls no provider any more.
    func abandon() {
        perform { $0.abandon() }
        state.withLock { state in
            state.call?.cancel()
            state.wake?.task.cancel()
        }
    }

    /// Lets go of the providers, after ``abandon()``.
    func close() async { await providers.close() }

    // MARK: Acting

    private func perform(_ event: (inout SessionMachine) -> [SessionMachine.Effect]) {
        state.withLock { state in
            for effect in event(&state.machine) { act(effect, &state) }
            if !state.idleWaiters.isEmpty, state.machine.isIdle {
                for waiter in state.idleWaiters { waiter.resume() }
                state.idleWaiters = []
            }
            scheduleWake(&state)
        }
    }

    private func act(_ effect: SessionMachine.Effect, _ state: inout State) {
        switch effect {
        case .call(let id, let changes): state.call = call(id, changes)
        case .cancelCall: state.call?.cancel()
        case .publish(let parts):
            output.publish(
                AccessoryChange(
                    accessory: configuration, snapshot: state.machine.snapshot, isOnline: state.machine.isOnline,
                    parts: parts))
        case .answer(let answer): output.answer(answer)
        case .log(let level, let message): output.log(level, accessory: configuration.id, message)
        }
    }

    private func call(_ id: Int, _ changes: [Setting]) -> Task<Void, Never> {
        Task { @MainActor in
            let result = await providers.call(changes)
            perform { $0.returned(result, call: id, at: .now) }
        }
    }

    /// Keeps one timer, for the earliest deadline. A timer that comes too early does no harm, so that a busy session
    /// does not make a new one for each call.
    private func scheduleWake(_ state: inout State) {
        guard let deadline = state.machine.nextDeadline else { return }
        if let wake = state.wake, wake.at <= deadline { return }
        state.wake?.task.cancel()
        state.wake = (
            deadline,
            Task { [weak self] in
                try? await Task.sleep(until: deadline, clock: .continuous)
                guard !Task.isCancelled else { return }
                self?.wakeUp()
            }
        )
    }

    private func wakeUp() {
        let entered = progress.entered
        state.withLock { $0.wake = nil }
        perform { $0.tick(at: .now, entered: entered) }
    }
}

/// Where a session's results go. Called under the session's lock, on any thread; must not block, nor call the session.
protocol SessionOutput: Sendable {
    func publish(_ change: AccessoryChange)
    func answer(_ answer: Answer)
    func log(_ level: LogLevel, accessory: String, _ message: String)
}
