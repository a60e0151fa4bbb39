internal import Synchronization

// Connecting, reconnecting, stopping.
extension MQTTClient {
    /// Connects, and reconnects whenever the connection ends, until `stop()` or until the task is cancelled. Returns when
    /// the network thread has ended; one that hangs in a look-up or a connect is left behind, to end without doing more.
    /// A client runs once.
    public func run() async {
        guard life.withLock({ $0.begin() }) else { return }
        await withTaskCancellationHandler {
            await reconnectUntilStopped()
        } onCancel: {
            requestStop()
        }
        inbox.finish()
        for waiter in life.withLock({ $0.end() }) { waiter.resume() }
    }

    /// Says goodbye to the broker, which then drops the will, and ends `run()`; returns when that is done. May be called
    /// at any time and again.
    ///
    /// - Parameter keepingWill: whether to leave without a goodbye, so that the broker publishes the will.
    public func stop(keepingWill: Bool = false) async {
        if keepingWill { life.withLock { $0.keepsWill = true } }
        requestStop()
        await withCheckedContinuation { continuation in
            if life.withLock({ $0.waitForEnd(continuation) }) { continuation.resume() }
        }
    }

    private func requestStop() {
        let (attempt, pause) = life.withLock { $0.stop() }
        waker.wake()
        attempt?.resume(returning: nil)
        pause?.cancel()
        if life.withLock({ $0.isEnded }) { inbox.finish() }
    }

    private func reconnectUntilStopped() async {
        var schedule = ReconnectSchedule()
        var negotiation = VersionNegotiation(configuration.version)
        var suspicion = TakeOverSuspicion()
        var attempts = 0
        while let end = await attempt(negotiation.version) {
            let delay: Duration
            if let connectedFor = end.connectedFor {
                negotiation.connected()
                attempts = 0
                delay = schedule.nextDelay(connectedFor: connectedFor, random: random())
                let isSuspected = suspicion.ended(with: end.failure.kind, after: connectedFor)
                let failure = isSuspected ? .suspectedTakeOver(at: configuration) : end.failure
                inbox.push(.disconnected(failure, retryIn: delay))
            } else {
                if negotiation.failed(with: end.failure.kind) { continue }
                attempts += 1
                delay = schedule.nextDelay(connectedFor: nil, random: random())
                inbox.push(.connectionFailed(end.failure, retryIn: delay, attempt: attempts))
            }
            await pause(delay)
        }
    }

    /// One attempt on a thread of its own, and the connection that comes of it.
    /// - Returns: nil when stopped.
    private func attempt(_ version: MQTTProtocolVersion) async -> AttemptEnd? {
        await withCheckedContinuation { continuation in
            guard let number = life.withLock({ $0.beginAttempt(continuation) }) else {
                return continuation.resume(returning: nil)
            }
            let thread = NetworkThread(
                configuration: configuration, version: version, limits: limits, inbox: inbox, record: record,
                waker: waker, onMessage: onMessage, session: session,
                isStopping: { [self] in life.withLock { $0.isStopping } },
                keepsWill: { [self] in life.withLock { $0.keepsWill } },
                mayGoOn: { [self] in life.withLock { $0.connectReturned(number) } })
            thread.start { [self] end in
                life.withLock { $0.endAttempt(number) }?.resume(returning: end)
            }
        }
    }

    private func pause(_ delay: Duration) async {
        let sleep = Task<Void, Never> { try? await Task.sleep(for: delay) }
        guard life.withLock({ $0.beginPause(sleep) }) else { return sleep.cancel() }
        await sleep.value
    }
}

/// Where a client is between `init` and the end of `run()`.
struct ClientLife: Sendable {
    typealias Attempt = CheckedContinuation<AttemptEnd?, Never>

    private enum Phase {
        case notStarted
        case idle
        /// In the connect call, which cannot be interrupted: stopping leaves it behind.
        case connecting(number: Int, Attempt)
        /// Connected, or waiting for CONNACK: the thread ends by itself when stopping.
        case serving(number: Int, Attempt)
        case pausing(Task<Void, Never>)
        case ended
    }

    private var phase = Phase.notStarted
    private var attempts = 0
    private var waiters: [CheckedContinuation<Void, Never>] = []
    private(set) var isStopping = false
    /// Whether the connection is to end without a goodbye.
    var keepsWill = false

    var isEnded: Bool {
        if case .ended = phase { true } else { false }
    }

    /// Whether the connect call is under way.
    var isConnecting: Bool {
        if case .connecting = phase { true } else { false }
    }

    /// False for a second `run()`, or one after `stop()`.
    mutating func begin() -> Bool {
        guard case .notStarted = phase else { return false }
        phase = .idle
        return true
    }

    mutating func end() -> [CheckedContinuation<Void, Never>] {
        phase = .ended
        defer { waiters = [] }
        return waiters
    }

    /// - Returns: what to interrupt.
    mutating func stop() -> (Attempt?, Task<Void, Never>?) {
        isStopping = true
        switch phase {
        case .notStarted:
            phase = .ended
            return (nil, nil)
        case .connecting(_, let attempt):
            phase = .idle
            return (attempt, nil)
        case .pausing(let sleep): return (nil, sleep)
        case .idle, .serving, .ended: return (nil, nil)
        }
    }

    /// - Returns: whether it has ended already, and nothing is to wait for.
    mutating func waitForEnd(_ waiter: CheckedContinuation<Void, Never>) -> Bool {
        if isEnded { return true }
        waiters.append(waiter)
        return false
    }

    /// - Returns: the attempt's number; nil when stopping.
    mutating func beginAttempt(_ attempt: Attempt) -> Int? {
        guard !isStopping else { return nil }
        attempts += 1
        phase = .connecting(number: attempts, attempt)
        return attempts
    }

    /// - Returns: false if the attempt was left behind.
    mutating func connectReturned(_ number: Int) -> Bool {
        guard case .connecting(number, let attempt) = phase else { return false }
        phase = .serving(number: number, attempt)
        return true
    }

    /// - Returns: who waits for the attempt; nil if it was left behind.
    mutating func endAttempt(_ number: Int) -> Attempt? {
        switch phase {
        case .connecting(number, let attempt), .serving(number, let attempt):
            phase = .idle
            return attempt
        default: return nil
        }
    }

    /// - Returns: false when stopping.
    mutating func beginPause(_ sleep: Task<Void, Never>) -> Bool {
        guard !isStopping else { return false }
        phase = .pausing(sleep)
        return true
    }
}
