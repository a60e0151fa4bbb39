import AccessorySettings

/// What one accessory does: when its providers are read and written, what is published, who is answered.
///
/// It decides; ``AccessorySession`` acts. Every event returns the effects to carry out in order. It knows no clock, no
/// tasks and no MQTT, so that each rule can be tested as a value.
struct SessionMachine: Sendable {
    enum Effect: Sendable {
        /// Ask the providers: write the changes, if there are any, then read. Ends with ``returned(_:call:at:)``.
        case call(Int, changes: [Setting])
        /// Cancel the running call's task. The call counts as running until it returns.
        case cancelCall
        case publish(AccessoryChange.Parts)
        case answer(Answer)
        case log(LogLevel, String)
    }

    /// A running call of the providers.
    struct Call: Sendable {
        var id: Int
        var changes: [Setting]
        var requests: [SetRequest] = []
        var gets: [GetRequest] = []
        /// Its time is up, its senders were answered; its result will be dropped.
        var isLate = false
        /// When to look at it again.
        var deadline: ContinuousClock.Instant
    }

    let limits: SessionLimits
    let accessory: String
    var snapshot: Snapshot?
    var isOnline = false
    var counters = SessionCounters()

    var pending = PendingChanges()
    var gets = PendingGets()
    var waiting = WaitingCommands()
    var call: Call?
    /// Set when no further command is taken.
    var end: SessionEnd?
    private var hasStarted = false
    private var isConnected = false
    var wantsRead = false
    private var lastCall = 0
    private var nextRead: ContinuousClock.Instant?
    private var document = DocumentThrottle()
    private var failures = FailureCount()
    private var oddities = Oddities()
    private var corrections = Corrections<StateTopic>()
    /// Identifiers of settings of this run, or of an earlier one, that are no longer there. Their topics are cleared with
    /// every connection: the one before may have broken before their clearing arrived.
    private var goneSettings: [String]
    private var wasOnline = false

    init(accessory: String, limits: SessionLimits, formerSettings: [String] = []) {
        self.accessory = accessory
        self.limits = limits
        goneSettings = formerSettings
    }

    // MARK: Events

    mutating func start(at now: ContinuousClock.Instant) -> [Effect] {
        hasStarted = true
        wantsRead = true
        return next(at: now)
    }

    /// Something says that the accessory's settings may have changed: a provider, a person, a request.
    mutating func readAgain(at now: ContinuousClock.Instant) -> [Effect] {
        wantsRead = true
        return next(at: now)
    }

    /// There is a connection: the present state is published whole, and from now on what changes.
    mutating func connected(at now: ContinuousClock.Instant) -> [Effect] {
        isConnected = true
        return republish(at: now)
    }

    /// Publishes everything there is to say: after a new connection, or for somebody who knows nothing yet.
    mutating func republish(at now: ContinuousClock.Instant) -> [Effect] {
        var parts = AccessoryChange.Parts.everything(snapshot)
        parts.isComplete = true
        if snapshot != nil { parts.removed = goneSettings }
        return publish(parts, at: now)
    }

    /// Another broker or base topic: there are other leftovers of earlier runs.
    mutating func moved(formerSettings: [String]) {
        goneSettings = formerSettings.filter { snapshot?[$0] == nil }
    }

    /// The identifiers of all settings that may have topics.
    var knownSettings: [String] { (snapshot?.settings.map(\.id) ?? []) + goneSettings }

    /// The connection is lost: nothing is published until there is one.
    mutating func disconnected() {
        isConnected = false
        // What is held back comes with everything else when there is a connection again.
        document = DocumentThrottle()
    }

    /// Somebody else published on a state topic: says the truth again, once per topic and 10 s.
    mutating func correct(_ topic: StateTopic, at now: ContinuousClock.Instant) -> [Effect] {
        let parts = truth(of: topic)
        guard !parts.isEmpty, corrections.mayCorrect(topic, at: now) else { return [] }
        return [.log(.info, "somebody else published on a state topic; the true state is published again")]
            + publish(parts, at: now, withDocument: false)
    }

    /// What must be published to put a state topic right; nothing where the topic is none of ours.
    private func truth(of topic: StateTopic) -> AccessoryChange.Parts {
        switch topic {
        case .availability: .init(availability: true)
        case .values: .init(document: snapshot != nil)
        case .descriptors: .init(descriptors: snapshot != nil)
        case .value(let setting): .init(values: positions([setting]))
        case .settingAvailability(let setting): .init(settingAvailability: positions([setting]))
        }
    }

    /// Takes one message. Which of the ways of `SessionMachine+commands` it goes depends on its kind.
    mutating func receive(_ command: Command, at now: ContinuousClock.Instant) -> [Effect] {
        take(command, at: now) + next(at: now)
    }

    /// A call of the providers has come back.
    mutating func returned(_ result: CallResult, call id: Int, at now: ContinuousClock.Instant) -> [Effect] {
        guard let call, call.id == id else { return [] }
        self.call = nil
        guard !call.isLate else {
            // What it says is old, and its senders were told. What is true now, a new reading tells.
            wantsRead = true
            return next(at: now)
        }
        counters.count(call, result, at: now)
        var effects: [Effect]
        switch result.reading {
        case .success(let reading): effects = take(reading, of: call, result.failures, at: now)
        case .failure(let failure): effects = fail(call, failure, result.failures, at: now)
        }
        return effects + next(at: now)
    }

    /// Looks at what is due.
    ///
    /// - Parameter entered: when the provider that is being called was entered; `nil` while the call waits for the main
    ///   actor, which is nobody's failure and costs nobody's time.
    mutating func tick(at now: ContinuousClock.Instant, entered: ContinuousClock.Instant?) -> [Effect] {
        var effects: [Effect] = []
        if let call, call.deadline <= now {
            let isDue = call.isLate || entered.map { $0.advanced(by: limits.timeout) <= now } ?? false
            if isDue {
                effects += overran(at: now)
            } else {
                let deadline = (entered ?? now).advanced(by: limits.timeout)
                self.call?.deadline = deadline
            }
        }
        effects += expire(at: now)
        for topic in corrections.takeDue(at: now) {
            effects += publish(truth(of: topic), at: now, withDocument: false)
        }
        if document.isDue(at: now) { effects += publish(.init(document: true), at: now) }
        if let nextRead, nextRead <= now {
            self.nextRead = nil
            wantsRead = true
        }
        return effects + next(at: now)
    }

    /// When ``tick(at:entered:)`` must be called next, unless something else happens first.
    var nextDeadline: ContinuousClock.Instant? {
        [call?.deadline, document.due, corrections.due, end != nil ? nil : nextRead, waitingDeadline, lateDeadline]
            .compactMap { $0 }
            .min()
    }

    // MARK: Calls

    /// Starts the next call if none is running and there is something to do.
    private mutating func next(at now: ContinuousClock.Instant) -> [Effect] {
        guard hasStarted, call == nil else { return [] }
        let wantsToRead = (wantsRead || !gets.isEmpty) && end == nil
        guard !pending.isEmpty || wantsToRead else { return [] }
        let refusals = refuseOutdated(at: now)
        guard !pending.isEmpty || wantsToRead else { return refusals }
        lastCall += 1
        let (changes, requests) = pending.takeAll(orderedBy: snapshot)
        call = Call(
            id: lastCall, changes: changes, requests: requests, gets: gets.takeAll(),
            deadline: now.advanced(by: limits.timeout))
        wantsRead = false
        nextRead = nil
        return refusals + [.call(lastCall, changes: changes)]
    }

    private mutating func take(
        _ reading: Reading, of call: Call, _ failed: [ChangeFailure], at now: ContinuousClock.Instant
    ) -> [Effect] {
        let new = Snapshot(reading.settings, after: snapshot)
        var effects = oddities.news(in: new, warnings: reading.warnings).map { news -> Effect in
            switch news {
            case .begins(let sentence): .log(.warning, sentence)
            case .ends(let sentence): .log(.info, sentence)
            }
        }
        var forced = Set<String>()
        for request in call.requests { forced.formUnion(request.changes.map(\.id)) }

        var parts = AccessoryChange.Parts.difference(from: snapshot, to: new, forced: forced)
        if snapshot == nil { parts.removed = goneSettings }
        if !goneSettings.isEmpty || !parts.removed.isEmpty {
            goneSettings = Set(goneSettings + parts.removed).filter { new[$0] == nil }.sorted()
            parts.removed = parts.removed.filter { new[$0] == nil }
        }
        if !call.gets.isEmpty { parts.include(call.gets, in: new) }
        snapshot = new
        if !isOnline {
            isOnline = true
            parts.availability = true
            defer { wasOnline = true }
            effects.append(.log(.info, wasOnline ? "is online again" : "is online"))
        } else if failures.count > 0 {
            effects.append(.log(.info, "can be read again"))
        }
        failures = FailureCount()
        nextRead = limits.refreshInterval > .zero ? now.advanced(by: limits.refreshInterval) : nil

        effects += publish(parts, at: now)
        effects += answers(to: call, failed, readAs: new)
        for command in waiting.takeAll() { effects += take(command, at: now) }
        return effects
    }

    private mutating func fail(
        _ call: Call, _ failure: ReadingFailure, _ failed: [ChangeFailure], at now: ContinuousClock.Instant
    ) -> [Effect] {
        var effects = countFailure(failure.message, at: now)
        nextRead = now.advanced(by: failures.retryDelay(jitter: limits.jitter()))
        effects += publishAgain(call.requests.flatMap { $0.changes.map(\.id) }, at: now)
        for request in call.requests {
            let refusals = request.changes.map { change in
                failed.first { $0.settings.contains(change.id) }.map { $0.refusal(of: change) }
                    ?? Refusal(
                        .providerFailed, setting: change.id,
                        "\(change.id) was set to \(change.valueText), but it can't be read back",
                        because: failure.reason)
            }
            effects += refuse(refusals, .set, request.sender)
        }
        for get in call.gets {
            effects += refuse(
                [Refusal(.providerFailed, setting: get.setting, failure.message)], .get, get.sender)
        }
        return effects
    }

    /// The running call's time is up, for the first time or once more.
    private mutating func overran(at now: ContinuousClock.Instant) -> [Effect] {
        guard var call else { return [] }
        let isFirst = !call.isLate
        call.isLate = true
        call.deadline = now.advanced(by: limits.timeout)
        self.call = call
        counters.failures += 1
        let sentence = "has not answered within \(limits.timeout.text)"
        var effects: [Effect] = isFirst ? [.cancelCall] : []
        effects += countFailure(sentence, at: now)
        guard isFirst else { return effects }
        effects += publishAgain(call.requests.flatMap { $0.changes.map(\.id) }, at: now)
        for request in call.requests {
            effects += refuse(request.refusals(.timeout, sentence), .set, request.sender)
        }
        for get in call.gets {
            effects += refuse([Refusal(.timeout, setting: get.setting, sentence)], .get, get.sender)
        }
        return effects
    }

    /// Counts a failure; the accessory may go offline by it.
    private mutating func countFailure(_ message: String, at now: ContinuousClock.Instant) -> [Effect] {
        failures.add()
        if failures.count == limits.offlineAfter { return goOffline(message, at: now) }
        return failures.count == 1 ? [.log(.warning, message)] : []
    }

    private mutating func goOffline(_ message: String, at now: ContinuousClock.Instant) -> [Effect] {
        isOnline = false
        var effects: [Effect] = [.log(.error, "is offline: \(message)")]
        effects += publish(.init(availability: true), at: now)
        for command in waiting.takeAll() { effects += take(command, at: now) }
        return effects
    }

    var isFailing: Bool { failures.count >= limits.offlineAfter }

    // MARK: Publishing

    /// Publishes the present value of some settings even though it did not change, so that a slider goes back.
    mutating func publishAgain(_ settings: [String], at now: ContinuousClock.Instant) -> [Effect] {
        publish(.init(values: positions(settings)), at: now)
    }

    /// - Parameter withDocument: whether the accessory JSON follows the values.
    private mutating func publish(
        _ parts: AccessoryChange.Parts, at now: ContinuousClock.Instant, withDocument: Bool = true
    ) -> [Effect] {
        guard isConnected else { return [] }
        var parts = parts
        if withDocument, parts.document || !parts.values.isEmpty { parts.document = document.mayPublish(at: now) }
        return parts.isEmpty ? [] : [.publish(parts)]
    }

    /// Publishes all values, for somebody who may not have taken them before.
    mutating func republishValues(at now: ContinuousClock.Instant) -> [Effect] {
        guard let snapshot else { return [] }
        return publish(.init(values: Array(snapshot.settings.indices)), at: now)
    }

    /// Publishes the accessory JSON that is held back, if there is one.
    mutating func publishDueDocument() -> [Effect] {
        guard document.due != nil, isConnected else { return [] }
        document = DocumentThrottle()
        return [.publish(.init(document: true))]
    }

    private func positions(_ settings: [String]) -> [Int] {
        Set(settings.compactMap { snapshot?.position(of: $0) }).sorted()
    }
}
