import AccessorySettings

/// What is done with messages.
extension SessionMachine {
    mutating func take(_ command: Command, at now: ContinuousClock.Instant) -> [Effect] {
        let verb: Answer.Verb
        let named: String?
        switch command.kind {
        case .set(let setting): (verb, named) = (.set, setting)
        case .get(let setting): (verb, named) = (.get, setting)
        }
        if let refusal = refusalWithoutLooking(command, named) {
            return publishAgain(named.map { [$0] } ?? [], at: now)
                + refuse([refusal], verb, command.senderWithTransaction)
        }
        switch command.kind {
        case .get(let setting):
            return gets.add(GetRequest(setting: setting, sender: command.sender, receivedAt: command.receivedAt))
                .filter(\.sender.asked)
                .map { .answer(Answer(verb: .get, accessory: accessory, outcome: .superseded, sender: $0.sender)) }
        case .set(let setting):
            if let snapshot, isOnline { return set(setting, command, against: snapshot, at: now) }
            guard snapshot == nil, !isFailing else { return refuseOffline(setting, command, at: now) }
            return wait(command)
        }
    }

    /// Refusals that need no snapshot.
    private func refusalWithoutLooking(_ command: Command, _ named: String?) -> Refusal? {
        if let end { return Refusal(end.code, setting: named, end.sentence) }
        if command.isRetained {
            return Refusal(
                .retained, setting: named,
                "a command with the retain flag is old and not carried out; publish it without the flag, and clear it with an empty retained message"
            )
        }
        guard case .set = command.kind else { return nil }
        if command.payload.count > SetPayload.limit {
            return Refusal(
                .tooLong, setting: named,
                "takes payloads of up to \(SetPayload.limit) bytes; got \(command.payload.count)")
        }
        return nil
    }

    /// A set while the accessory is known and there.
    private mutating func set(
        _ setting: String?, _ command: Command, against snapshot: Snapshot, at now: ContinuousClock.Instant
    ) -> [Effect] {
        var sender = command.sender
        let payload: SetPayload
        do {
            payload =
                if let setting { SetPayload(command.payload, for: setting) } else if let changes = command.changes {
                    try SetPayload(changes, command.senderWithTransaction.transaction, forAccessoryWith: snapshot)
                } else {
                    try SetPayload(command.payload, forAccessoryWith: snapshot)
                }
        } catch {
            return refuse([error], .set, command.senderWithTransaction)
        }
        sender.transaction = payload.transaction
        var changes: [Setting] = []
        var refusals: [Refusal] = []
        for (id, input) in payload.entries {
            do {
                changes.append(try change(of: id, to: input, in: snapshot))
            } catch {
                refusals.append(error)
            }
        }
        guard refusals.isEmpty else {
            return publishAgain(payload.entries.map(\.setting), at: now)
                + refuse(refusals, .set, command.senderWithTransaction)
        }
        return pending.add(SetRequest(changes: changes, sender: sender, receivedAt: command.receivedAt))
            .filter(\.sender.asked)
            .map { .answer(Answer(verb: .set, accessory: accessory, outcome: .superseded, sender: $0.sender)) }
    }

    private func change(of id: String, to input: SetPayload.Input, in snapshot: Snapshot) throws(Refusal) -> Setting {
        guard let setting = snapshot[id], setting.id.hasSameBytes(as: id) else {
            throw Refusal(.unknownSetting, setting: id, "there is no setting \(id)")
        }
        // What a toggle inverts is what will be: a waiting change, else one being written, else what was read.
        let current = pending[id] ?? call?.changes.first { $0.id == id }?.value ?? setting.value
        let value = try ValueDecoder(descriptor: setting.descriptor, current: current).decode(input)
        return Setting(setting.descriptor, value: value)
    }

    /// Refuses what waits and is no longer possible: the snapshot may have changed since it was accepted.
    mutating func refuseOutdated(at now: ContinuousClock.Instant) -> [Effect] {
        guard let snapshot, !pending.isEmpty else { return [] }
        var effects: [Effect] = []
        for request in pending.take(where: { !$0.refusals(against: snapshot).isEmpty }) {
            effects += publishAgain(request.changes.map(\.id), at: now)
            effects += refuse(request.refusals(against: snapshot), .set, request.sender)
        }
        return effects
    }

    private mutating func refuseOffline(
        _ setting: String?, _ command: Command, at now: ContinuousClock.Instant
    ) -> [Effect] {
        wantsRead = true
        return publishAgain(setting.map { [$0] } ?? [], at: now)
            + refuse(
                [Refusal(.accessoryOffline, setting: setting, "is offline; it is being tried again")], .set,
                command.senderWithTransaction)
    }

    /// Keeps a command until the accessory was read for the first time.
    private mutating func wait(_ command: Command) -> [Effect] {
        switch waiting.add(command) {
        case .kept: return []
        case .replaced(let older):
            let sender = older.senderWithTransaction
            guard sender.asked else { return [] }
            return [.answer(Answer(verb: .set, accessory: accessory, outcome: .superseded, sender: sender))]
        case .full:
            return refuse(
                [
                    Refusal(
                        .accessoryOffline, setting: command.setting,
                        "was not read yet, and too many commands wait for it")
                ],
                .set,
                command.senderWithTransaction)
        }
    }

    /// Refuses what has waited too long.
    mutating func expire(at now: ContinuousClock.Instant) -> [Effect] {
        var effects: [Effect] = []
        let limit = now.advanced(by: .zero - limits.timeout)
        for command in waiting.takeReceived(before: limit) {
            effects += refuse(
                [Refusal(.accessoryOffline, setting: command.setting, "was not read within \(limits.timeout.text)")],
                .set,
                command.senderWithTransaction)
        }
        guard call?.isLate == true else { return effects }
        // The call that should have ended long ago is in their way.
        for request in pending.takeReceived(before: limit) {
            effects += publishAgain(request.changes.map(\.id), at: now)
            effects += refuse(
                request.refusals(.timeout, "an earlier request still runs after \(limits.timeout.text)"), .set,
                request.sender)
        }
        for get in gets.takeReceived(before: limit) {
            effects += refuse(
                [Refusal(.timeout, setting: get.setting, "an earlier request still runs after \(limits.timeout.text)")],
                .get, get.sender)
        }
        return effects
    }

    /// When the next command that waits for the first reading has waited long enough.
    var waitingDeadline: ContinuousClock.Instant? {
        waiting.oldest?.advanced(by: limits.timeout)
    }

    /// When the next message behind a late call has waited long enough.
    var lateDeadline: ContinuousClock.Instant? {
        guard call?.isLate == true else { return nil }
        return [pending.oldest, gets.oldest].compactMap { $0 }.min()?.advanced(by: limits.timeout)
    }

    // MARK: Stopping

    /// Takes out the commands that wait for the first reading, and those that want to know what is read.
    mutating func takeUnservedCommands() -> [Command] {
        var unserved = gets.takeAll()
        if let call, !call.isLate {
            unserved = call.gets + unserved
            self.call?.gets = []
        }
        return waiting.takeAll()
            + unserved.map {
                Command(
                    kind: .get(setting: $0.setting), payload: [], isRetained: false, sender: $0.sender,
                    receivedAt: $0.receivedAt)
            }
    }

    /// No more reads; what is being written, and what waits to be written, goes on.
    mutating func stop(_ end: SessionEnd) -> [Effect] {
        self.end = end
        var effects: [Effect] = []
        for command in waiting.takeAll() {
            effects += refuse(
                [Refusal(end.code, setting: command.setting, end.sentence)], .set, command.senderWithTransaction)
        }
        return effects
    }

    /// Whether nothing is being written and nothing waits to be.
    var isIdle: Bool {
        // Who waited for a late call was told already.
        pending.isEmpty && (call.map { $0.isLate || $0.requests.isEmpty } ?? true)
    }

    /// Time is up: tells everybody who still waits.
    mutating func abandon() -> [Effect] {
        let end = end ?? .bridgeStops
        var effects: [Effect] = []
        let late = call?.isLate == true
        let running = late ? [] : call?.requests ?? []
        for request in running {
            effects += refuse(
                request.refusals(end.code, "\(end.sentence); whether the change was applied is unknown"), .set,
                request.sender)
        }
        for request in pending.takeAll(orderedBy: snapshot).requests {
            effects += refuse(request.refusals(end.code, end.sentence), .set, request.sender)
        }
        for get in (late ? [] : call?.gets ?? []) + gets.takeAll() {
            effects += refuse([Refusal(end.code, setting: get.setting, end.sentence)], .get, get.sender)
        }
        call = nil
        return effects + publishDueDocument()
    }

    // MARK: Answering

    func refuse(
        _ refusals: [Refusal], _ verb: Answer.Verb, _ sender: Sender, readBack: [Answer.ReadBack]? = nil
    ) -> [Effect] {
        let answer = Answer(
            verb: verb, accessory: accessory, outcome: .refused(refusals, readBack: readBack), sender: sender)
        let hasFailed = refusals.contains { $0.code == .providerFailed || $0.code == .timeout }
        let outcome = hasFailed ? "failed" : "refused"
        return [.log(.warning, "\(verb.rawValue) \(outcome): \(refusals.sentence)"), .answer(answer)]
    }

    /// The answers to those whose change was written or whose reading was made.
    func answers(to call: Call, _ failed: [ChangeFailure], readAs snapshot: Snapshot) -> [Effect] {
        var effects: [Effect] = []
        for request in call.requests {
            let refusals = request.changes.compactMap { change in
                failed.first { $0.settings.contains(change.id) }.map { $0.refusal(of: change) }
            }
            // Nearly always nobody asked, and nothing failed.
            guard request.sender.asked || !refusals.isEmpty else { continue }
            let readBack = request.changes.map { Answer.ReadBack(setting: $0.id, value: snapshot[$0.id]?.value) }
            if !refusals.isEmpty {
                effects += refuse(refusals, .set, request.sender, readBack: readBack)
            } else {
                effects.append(
                    .answer(Answer(verb: .set, accessory: accessory, outcome: .ok(readBack), sender: request.sender)))
            }
        }
        for get in call.gets {
            if let setting = get.setting, snapshot[setting]?.id.hasSameBytes(as: setting) != true {
                effects += refuse(
                    [Refusal(.unknownSetting, setting: setting, "there is no setting \(setting)")], .get, get.sender)
            } else if get.sender.asked {
                let readBack = snapshot.settings.filter { get.setting == nil || get.setting == $0.id }
                    .map { Answer.ReadBack(setting: $0.id, value: $0.value) }
                effects.append(
                    .answer(Answer(verb: .get, accessory: accessory, outcome: .ok(readBack), sender: get.sender)))
            }
        }
        return effects
    }
}

extension Command {
    /// The sender with the mark that the payload carries.
    fileprivate var senderWithTransaction: Sender {
        var sender = sender
        sender.transaction = SetPayload.transaction(in: payload) ?? sender.transaction
        return sender
    }

    fileprivate var setting: String? { kind.setting }
}

extension SetRequest {
    /// What the present declarations of the settings have against the changes.
    fileprivate func refusals(against snapshot: Snapshot) -> [Refusal] {
        changes.compactMap { change -> Refusal? in
            guard let setting = snapshot[change.id] else {
                return Refusal(.unknownSetting, setting: change.id, "there is no setting \(change.id) any more")
            }
            // Nearly always nothing about it has changed.
            guard setting.descriptor != change.descriptor, let value = change.value else { return nil }
            do throws(Refusal) {
                try ValueDecoder(descriptor: setting.descriptor, current: nil).check(value)
                return nil
            } catch {
                return error
            }
        }
    }

    /// One refusal for each setting, all for the same reason.
    func refusals(_ code: Refusal.Code, _ sentence: String) -> [Refusal] {
        changes.map { Refusal(code, setting: $0.id, sentence) }
    }
}
