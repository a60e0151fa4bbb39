import MQTT
import SettingsBridge

/// What is known of a device from its messages. A value, without a connection.
struct MQTTDeviceState: Sendable {
    enum Link: Sendable, Equatable {
        case connecting
        /// Connected, and all topics are subscribed.
        case subscribed
        /// The sentence says why.
        case failed(String)
    }

    /// What a device answered to a command.
    enum Answer: Sendable, Equatable {
        case accepted
        /// With the device's reason as it stands, secrets and line ends included.
        case refused(String)
    }

    private struct PendingCommand: Sendable {
        var response: MQTTDevicePlan.Response
        var answer: Answer?
    }

    let plan: MQTTDevicePlan
    private(set) var link = Link.connecting
    private(set) var values: [String: JSONValue] = [:]
    /// The settings whose state was told, be it as unreadable.
    private var heard: Set<String> = []
    /// What is wrong with the last payload on a topic.
    private var faults: [String: String] = [:]
    private var fault: String? { faults.min { $0.key < $1.key }?.value }
    private(set) var isOffline = false
    /// How many messages about states have come.
    private(set) var stateCount = 0
    /// Why the broker did not take the last publish on a topic.
    private(set) var refusals: [String: String] = [:]
    private var commands: [Int64: PendingCommand] = [:]
    private var lastTransaction: Int64 = 0
    /// What the last reading that did not fail said; `nil` before the first.
    private var reported: [String: JSONValue]?
    /// What was wrong with the payloads at the last reading.
    private var reportedFault: String?
    /// Whether the last reading failed, so that any state is news.
    private var hasFailed = false
    private var runningReadings = 0
    /// Whether something changed since the running readings began that none of them has told yet.
    private var hasUntoldNews = false
    /// Whether a state that came by itself awaits its reading.
    private var isPushed = false
    /// Whether a reading once waited in vain for some of the states: the next does not.
    private var hasWaited = false

    init(plan: MQTTDevicePlan) {
        self.plan = plan
    }

    // MARK: The connection

    /// Whether the device is there is unknown until it says so on this connection.
    mutating func connectionBegan() {
        isOffline = false
    }

    /// - Returns: whether people should know, by a reading.
    mutating func linkChanged(to link: Link) -> Bool {
        let isNews = link != self.link
        self.link = link
        refusals = [:]
        // A new connection asks anew.
        isPushed = false
        return isNews && isToBeToldNow()
    }

    /// - Parameter reason: `nil` before the next publish.
    mutating func publishRefused(on topic: String, _ reason: String?) {
        refusals[topic] = reason
    }

    // MARK: Messages

    /// - Returns: whether a reading would now say something else than the last.
    mutating func receive(_ document: MQTTDeviceDocument) -> Bool {
        let (wasOffline, oldCount) = (isOffline, stateCount)
        noteAvailability(document)
        noteStates(document)
        if !document.isRetained, !document.isTooLarge { noteAnswer(document) }
        let saysOther = reported != values || reportedFault != fault || (hasFailed && stateCount > oldCount)
        // Without the subscriptions, or while the device is away, a reading fails whatever the states are.
        guard link == .subscribed, wasOffline != isOffline || (saysOther && !isOffline) else { return false }
        // At the beginning, and when a device is back, what is known may be old: it is better asked.
        isPushed = reported != nil && stateCount > oldCount
        return isToBeToldNow()
    }

    /// What comes during a reading is told by that reading, or when it ends.
    private mutating func isToBeToldNow() -> Bool {
        hasUntoldNews = runningReadings > 0
        return !hasUntoldNews
    }

    private mutating func noteAvailability(_ document: MQTTDeviceDocument) {
        guard let availability = plan.availability, availability.topic == document.topic else { return }
        // Without a retained message nobody says any more whether it is there.
        if document.isEmpty { isOffline = false }
        switch document.value(at: availability.pointer)?.text {
        case availability.online: isOffline = false
        case availability.offline: isOffline = true
        default: break
        }
    }

    private mutating func noteStates(_ document: MQTTDeviceDocument) {
        let settings = plan.settings.filter { $0.state?.topic == document.topic }
        guard !settings.isEmpty else { return }
        stateCount += 1
        faults[document.topic] = document.isTooLarge ? document.fault : nil
        for setting in settings {
            guard let state = setting.state else { continue }
            let value = document.value(at: state.pointer)
            if state.isPartial, value == nil, !document.isEmpty { continue }
            if state.pointer != nil, let fault = document.fault { faults[document.topic] = fault }
            values[setting.id] = value
            heard.insert(setting.id)
        }
    }

    private mutating func noteAnswer(_ document: MQTTDeviceDocument) {
        for (transaction, command) in commands where command.response.topic == document.topic && command.answer == nil {
            if let pointer = command.response.transaction {
                guard document.value(at: pointer)?.isSame(as: .integer(transaction)) == true else { continue }
            }
            switch command.response.error.flatMap({ document.value(at: $0) }) {
            case nil, .null: commands[transaction]?.answer = .accepted
            case let error?:
                commands[transaction]?.answer = .refused(String(decoding: error.bytes, as: UTF8.self))
            }
        }
    }

    // MARK: Readings

    /// - Returns: whether the device is to be asked for its state.
    mutating func beginReading() -> Bool {
        runningReadings += 1
        defer { isPushed = false }
        return plan.request != nil && !isPushed
    }

    /// - Returns: whether something came during the reading that it did not tell.
    mutating func endReading() -> Bool {
        runningReadings -= 1
        guard runningReadings == 0 else { return false }
        defer { hasUntoldNews = false }
        return hasUntoldNews
    }

    /// Whether everything has come that a reading waits for.
    ///
    /// - Parameter count: what ``stateCount`` was when the device was asked; `nil` if it was not.
    func isComplete(askedAt count: Int?) -> Bool {
        let isFresh = count.map { stateCount > $0 } ?? true
        return isFresh && (hasWaited || plan.settings.allSatisfy { $0.state == nil || heard.contains($0.id) })
    }

    /// What a reading says after it has waited as long as it may: all that has come until now.
    ///
    /// - Parameter checkReachable: throws when the device can't be read.
    mutating func reading(
        askedAt count: Int?, _ checkReachable: (MQTTDeviceState) throws(DeviceError) -> Void
    ) throws(DeviceError) -> [String: JSONValue] {
        hasUntoldNews = false
        isPushed = false
        hasFailed = true
        try checkReachable(self)
        if !isComplete(askedAt: count) {
            if let count, stateCount == count, let request = plan.request {
                throw DeviceError(
                    "the device did not answer within \(plan.timeout.text): asked on '\(request.topic)', nothing came on "
                        + plan.stateTopics, mayPass: true)
            }
            guard !heard.isEmpty else {
                throw DeviceError(
                    "nothing came on \(plan.stateTopics) within \(plan.timeout.text)"
                        + (plan.request == nil ? "; if the states are not retained, a 'request' can ask for them" : ""),
                    mayPass: true)
            }
            hasWaited = true
        }
        hasFailed = false
        reported = values
        reportedFault = fault
        if let fault { throw DeviceError(fault) }
        return values
    }

    // MARK: Commands

    /// - Returns: the number of the command.
    mutating func beginCommand(_ response: MQTTDevicePlan.Response?) -> Int64 {
        lastTransaction += 1
        if let response { commands[lastTransaction] = PendingCommand(response: response) }
        return lastTransaction
    }

    mutating func endCommand(_ transaction: Int64) {
        commands[transaction] = nil
    }

    func answer(to transaction: Int64) -> Answer? {
        commands[transaction]?.answer
    }
}
