import AccessorySettings
import Testing

@testable import SettingsBridge

/// Drives a ``SessionMachine`` by hand, with a clock of its own.
struct MachineFixture {
    var machine: SessionMachine
    private(set) var now = ContinuousClock.now
    /// Everything that happened since the last look.
    private(set) var effects: [SessionMachine.Effect] = []

    init(
        timeout: Duration = .seconds(10), refreshInterval: Duration = .seconds(60), offlineAfter: Int = 2,
        formerSettings: [String] = []
    ) {
        machine = SessionMachine(
            accessory: "lr-thermo",
            limits: SessionLimits(timeout: timeout, refreshInterval: refreshInterval, offlineAfter: offlineAfter),
            formerSettings: formerSettings)
    }

    /// The settings of the fault reports' fixture.
    static func settings(
        power: Bool? = true, target: Double? = 21, mode: String = "heat", text: String = "", current: String? = "20.5"
    ) -> [Setting] {
        [
            Setting(SettingDescriptor(id: "power", label: "Power", kind: .toggle()), value: power.map { .toggle($0) }),
            Setting(
                SettingDescriptor(
                    id: "target", label: "Target",
                    kind: .range(RangeDescriptor(lowerBound: 5, upperBound: 30, step: 0.5, unit: "°C"))),
                value: target.map { .number($0) }),
            Setting(
                SettingDescriptor(
                    id: "mode", label: "Mode",
                    kind: .enumeration([
                        EnumerationOption(rawValue: "heat", label: "Heating"),
                        EnumerationOption(rawValue: "cool", label: "Cooling"),
                    ])), value: .option(mode)),
            Setting(SettingDescriptor(id: "display_text", label: "Text", kind: .text()), value: .text(text)),
            Setting(
                SettingDescriptor(id: "current", label: "Current", kind: .information()),
                value: current.map { .text($0) }),
        ]
    }

    // MARK: Events

    mutating func start() {
        _ = machine.connected(at: now)
        effects += machine.start(at: now)
    }

    /// Starts and reads for the first time.
    mutating func startReading(_ settings: [Setting] = settings()) {
        start()
        read(settings)
        forget()
    }

    mutating func set(
        _ setting: String?, _ payload: String, transaction: Bool = false, retained: Bool = false, reply: String? = nil
    ) {
        var sender = Sender()
        if let reply { (sender.gaveResponseTopic, sender.responseTopic) = (true, reply) }
        effects += machine.receive(
            Command(
                kind: .set(setting: setting), payload: Array(payload.utf8), isRetained: retained, sender: sender,
                receivedAt: now), at: now)
    }

    mutating func get(_ setting: String? = nil, reply: String? = nil, retained: Bool = false) {
        var sender = Sender()
        if let reply { (sender.gaveResponseTopic, sender.responseTopic) = (true, reply) }
        effects += machine.receive(
            Command(kind: .get(setting: setting), payload: [], isRetained: retained, sender: sender, receivedAt: now),
            at: now)
    }

    /// The running call returns with a reading.
    mutating func read(_ settings: [Setting], failures: [ChangeFailure] = [], warnings: [String] = []) {
        finish(CallResult(failures: failures, reading: .success(Reading(settings: settings, warnings: warnings))))
    }

    /// The running call returns without one.
    mutating func failToRead(_ message: String = "no answer") {
        finish(CallResult(reading: .failure(ReadingFailure(reason: message))))
    }

    private mutating func finish(_ result: CallResult) {
        guard let call = machine.call else {
            Issue.record("no call is running")
            return
        }
        effects += machine.returned(result, call: call.id, at: now)
    }

    /// Lets time pass up to every deadline on the way.
    ///
    /// - Parameter entered: whether the running call has entered its provider, now.
    mutating func pass(_ duration: Duration, entered: Bool = true) {
        let end = now.advanced(by: duration)
        let entry = entered && machine.call != nil ? now : nil
        while let deadline = machine.nextDeadline, deadline <= end {
            now = max(now, deadline)
            effects += machine.tick(at: now, entered: entry)
        }
        now = end
    }

    // MARK: What happened

    mutating func forget() { effects = [] }

    /// The change dictionaries of the calls that were started, as text.
    var calls: [String] {
        effects.compactMap {
            guard case .call(_, let changes) = $0 else { return nil }
            return changes.isEmpty ? "read" : changes.map { "\($0.id)=\($0.valueText)" }.joined(separator: " ")
        }
    }

    var answers: [Answer] {
        effects.compactMap { if case .answer(let answer) = $0 { answer } else { nil } }
    }

    var codes: [Refusal.Code] {
        answers.flatMap { answer -> [Refusal.Code] in
            if case .refused(let refusals, _) = answer.outcome { refusals.map(\.code) } else { [] }
        }
    }

    /// Identifiers of the settings whose values were published.
    var published: [String] {
        effects.flatMap { effect -> [String] in
            guard case .publish(let parts) = effect, let snapshot = machine.snapshot else { return [] }
            return parts.values.map { snapshot.settings[$0].id }
        }
    }

    var publications: [AccessoryChange.Parts] {
        effects.compactMap { if case .publish(let parts) = $0 { parts } else { nil } }
    }

    var log: [String] {
        effects.compactMap { if case .log(_, let message) = $0 { message } else { nil } }
    }
}
