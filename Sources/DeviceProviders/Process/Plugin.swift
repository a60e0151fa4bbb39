import Dispatch
import SettingsBridge
import Synchronization

/// A plug-in: a program that runs for as long as its accessory is served, and is asked by lines of JSON.
///
/// It is started by the first request, and again when it has ended, after a delay that grows while it does not last.
final class Plugin: Sendable {
    static let lineLimit = 1 << 20
    /// After so many lines in a row that are no messages it is ended.
    static let faultyLineLimit = 100
    /// Of what it says about a failure, in characters.
    private static let shownOfErrors = 1000
    /// How long one that is being ended is waited for: longer than it takes to end it by force.
    private static let predecessorLimit = Duration.seconds(2)

    private struct State {
        var child: Child?
        /// Counts the starts.
        var run = 0
        var startedAt = ContinuousClock.now
        var delay = RestartDelay()
        /// Why it was ended by us, and when the request was made that it did not answer.
        var verdict: (reason: String, request: ContinuousClock.Instant?)?
        /// Why it does not run.
        var problem: String?
        var lastID = 0
        var pending: [Int: PendingRequest] = [:]
        var faultyLines = 0
        /// Whether a notice was handed on just now, and whether another one came since.
        var isAnnouncing = false
        var hasUnannounced = false
        /// Whether nobody will ask it any more; then it is not started again.
        var isLetGo = false
        /// What it said about itself in this run.
        var settings: [DeclaredSetting]?
    }

    private struct PendingRequest {
        var request: PluginRequest
        var madeAt = ContinuousClock.now
        var continuation: CheckedContinuation<PluginAnswer, any Error>
    }

    private let launch: Launch
    /// What it was told, and nothing it says may bring to light.
    let secrets: KnownSecrets
    private let timeout: Duration?
    private let state = Mutex(State())
    /// Not part of the state: whoever makes or cancels a request must not wait for what is done with standard error.
    private let log: Mutex<PluginLog>
    /// Used on the child's thread, and when there is no child.
    private let output = Mutex(LineSplitter(limit: lineLimit))
    /// Each element tells that the device may have changed.
    let changes: AsyncStream<Void>
    private let changed: AsyncStream<Void>.Continuation

    /// - Parameters:
    ///   - accessory: for the log.
    ///   - timeout: after which a request fails and the plug-in is ended; without one a request waits until it is cancelled.
    ///   - secrets: what no error may hold.
    init(
        _ launch: Launch, accessory: String, timeout: Duration? = nil, secrets: KnownSecrets = KnownSecrets(), log: Log
    ) {
        self.launch = launch
        self.timeout = timeout
        self.secrets = secrets
        self.log = Mutex(PluginLog(log, accessory: accessory, secrets: secrets))
        (changes, changed) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    deinit { letGo() }

    /// Ends it for good. It is asked to end when this returns.
    func letGo() {
        changed.finish()
        state.withLock { state in
            state.isLetGo = true
            state.child?.input?.close()
            state.child?.terminate()
        }
    }

    var name: String { launch.name }

    // MARK: Requests

    /// The settings that the plug-in lists. It is asked once in each of its runs.
    func describe() async throws -> [DeclaredSetting] {
        if let known = state.withLock({ $0.settings }) { return known }
        let answer = try await request(.describe)
        let settings = try PluginDescription.settings(in: answer.line, of: name, hiding: secrets.redaction)
        state.withLock { state in
            // Meanwhile it may have been started again, as another version.
            if state.run == answer.run { state.settings = settings }
        }
        return settings
    }

    /// - Throws: ``DeviceError`` with what the plug-in says, or why it could not be asked.
    func request(_ request: PluginRequest) async throws -> PluginAnswer {
        try await waitForPredecessor()
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        let alarm = timeout.map { timeout in
            Task { [weak self, name] in
                try await Task.sleep(for: timeout)
                self?.abandon(
                    id,
                    DeviceError(
                        "plug-in \(name) did not answer '\(request.name)' within \(timeout.text)", mayPass: true))
            }
        }
        defer { alarm?.cancel() }
        let answer = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { send(request, id: id, $0) }
        } onCancel: {
            abandon(id, CancellationError())
        }
        if let error = answer.error {
            throw DeviceError("plug-in \(name): \(hidingSecrets(in: error))")
        }
        return answer
    }

    /// Before it is started: what one with the same command line still has open, such as a serial port, may be for one alone.
    private func waitForPredecessor() async throws {
        guard state.withLock({ $0.child == nil && $0.problem == nil }) else { return }
        let deadline = ContinuousClock.now.advanced(by: Self.predecessorLimit)
        while RunningGroups.isEnding(launch.program), ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// What the plug-in says, without the secrets that were told to it.
    func hidingSecrets(in text: String) -> String {
        secrets.redaction.excerpt(text, limit: Self.shownOfErrors)
    }

    private func send(
        _ request: PluginRequest, id: Int, _ continuation: CheckedContinuation<PluginAnswer, any Error>
    ) {
        state.withLock { state in
            // From here on a cancellation finds the request among those that wait.
            if Task.isCancelled { return continuation.resume(throwing: CancellationError()) }
            if state.child == nil, state.problem == nil, !state.isLetGo { start(&state) }
            guard let child = state.child else {
                let reason = state.problem ?? "it has ended"
                return continuation.resume(
                    throwing: DeviceError("plug-in \(name) does not run: \(reason)", mayPass: true))
            }
            state.pending[id] = PendingRequest(request: request, continuation: continuation)
            child.input?.write(request.line(id: id))
        }
    }

    /// Nobody waits for the answer any more. A plug-in that has not answered is ended: it may hang.
    private func abandon(_ id: Int, _ error: any Error) {
        state.withLock { state in
            guard let pending = state.pending.removeValue(forKey: id) else { return }
            pending.continuation.resume(throwing: error)
            let reason =
                error is CancellationError
                ? "the call was cancelled" : "it did not answer '\(pending.request.name)' in time"
            end(reason, since: pending.madeAt, &state)
        }
    }

    // MARK: Its life

    private func start(_ state: inout State) {
        state.run += 1
        state.startedAt = .now
        state.settings = nil
        state.problem = nil
        state.verdict = nil
        output.withLock { $0 = LineSplitter(limit: Self.lineLimit) }
        state.faultyLines = 0
        do throws(DeviceError) {
            state.child = try Child(
                launch, hasInput: true,
                handlers: Child.Handlers(
                    output: { [weak self] in self?.takeOutput($0) },
                    errors: { [weak self] bytes in self?.log.withLock { $0.takeErrors(bytes) } },
                    ended: { [weak self] in self?.ended($0) }))
        } catch {
            startLater(because: error.description, &state)
        }
    }

    /// - Parameter request: when the request was made that it did not answer.
    private func end(_ verdict: String, since request: ContinuousClock.Instant? = nil, _ state: inout State) {
        if state.verdict == nil { state.verdict = (verdict, request) }
        state.child?.terminate()
    }

    private func ended(_ ending: Child.Ending) {
        let half = output.withLock { $0.rest.bytes.isEmpty } ? "" : " in the middle of a line"
        let firstRequest = state.withLock { state in
            (state.pending.values.map(\.madeAt) + [state.verdict?.request].compactMap(\.self)).min()
        }
        let errors = log.withLock { $0.finish(since: firstRequest) }.map { ": \($0)" } ?? ""
        state.withLock { state in
            state.child = nil
            startLater(because: (state.verdict?.reason ?? "it \(ending)\(half)") + errors, &state)
        }
    }

    private func startLater(because reason: String, _ state: inout State) {
        let delay = state.delay.next(after: ContinuousClock.now - state.startedAt)
        state.problem = reason
        let isLast = RunningGroups.isClosed || state.isLetGo
        if !isLast {
            log.withLock { $0.warning("plug-in \(name): \(reason); it is started again in \(delay.text)") }
        }
        let waiting = state.pending.values
        state.pending = [:]
        for pending in waiting {
            pending.continuation.resume(
                throwing: DeviceError(
                    "plug-in \(name) did not answer '\(pending.request.name)': \(reason)", mayPass: true))
        }
        guard !isLast else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(Int(delay / .milliseconds(1)))) {
            [weak self] in
            guard let self else { return }
            let runs = self.state.withLock { state in
                if !state.isLetGo { self.start(&state) }
                return state.child != nil
            }
            if runs { changed.yield() }
        }
    }

    // MARK: What it says

    private func takeOutput(_ bytes: UnsafeRawBufferPointer) {
        // What comes until it has ended is worth nothing.
        guard state.withLock({ $0.verdict == nil }) else { return }
        // The lock is held for short: whoever makes a request waits for it.
        let (lines, rest) = output.withLock { output in (output.append(bytes), output.rest) }
        for line in lines { take(line) }
        if rest.isCut { state.withLock { endBecauseOfLongLine(&$0) } }
    }

    private func take(_ line: LineSplitter.Line) {
        guard !line.isCut else { return state.withLock { endBecauseOfLongLine(&$0) } }
        let message = Result { () throws(PluginFault) in try PluginMessage(line.bytes) }
        let fault = state.withLock { state -> PluginFault? in
            guard state.verdict == nil else { return nil }
            do throws(PluginFault) {
                try take(try message.get(), &state)
                state.faultyLines = 0
                return nil
            } catch {
                state.faultyLines += 1
                if state.faultyLines >= Self.faultyLineLimit {
                    end("it wrote \(Self.faultyLineLimit) lines in a row that are no messages", &state)
                }
                return error
            }
        }
        guard let fault else { return }
        let sentence = fault.sentence(hiding: secrets.redaction)
        log.withLock { $0.warning("plug-in \(name): a line of its standard output \(sentence)") }
    }

    private func take(_ message: PluginMessage, _ state: inout State) throws(PluginFault) {
        switch message {
        case .changed: announceChange(&state)
        case .answer(let id, var answer):
            guard let pending = state.pending.removeValue(forKey: id) else {
                throw PluginFault(message: "answers a request \(id), which does not wait for an answer")
            }
            answer.run = state.run
            pending.continuation.resume(returning: answer)
        }
    }

    private func endBecauseOfLongLine(_ state: inout State) {
        end("it wrote a line of more than 1 MB", &state)
    }
}

extension Plugin {
    /// Hands a notice on, at most ten in a second.
    private func announceChange(_ state: inout State) {
        state.hasUnannounced = state.isAnnouncing
        guard !state.isAnnouncing else { return }
        state.isAnnouncing = true
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(100)) { [weak self] in
            self?.state.withLock { state in
                state.isAnnouncing = false
                if state.hasUnannounced { self?.announceChange(&state) }
            }
        }
        changed.yield()
    }
}
