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
    /// What the last reading said; `nil` before the first.
    private var reported: [String: JSONValue]?
    /// What was wrong with the payloads at the last reading.
    private var reportedFault: String?
    private var runningReadings = 0
    /// Whether a state that came by itself awaits its reading.
    private var isPushed = false
    /// Whether a reading once waited in vain for some of the states: the next does not.
    private var hasWaited = false

    init(plan: MQTTDevicePlan) {
        self.plan = plan
    }

    // MARK: The connection

    /// - Returns: whether people should know, by a reading.
    mutating func linkChanged(to link: Link) -> Bool {
        let isNews = link != self.link && runningReadings == 0
        self.link = link
        refusals = [:]
        // A new connection asks anew.
        isPushed = false
        return isNews
    }

    /// - Parameter reason: `nil` before the next publish.
    mutating func publishRefused(on topic: String, _ reason: String?) {
        refusals[topic] = reason
    }

    // MARK: Messages

    /// - Returns: whether a reading would now say something else than the last.
    mutating func receive(_ message: MQTTMessage) -> Bool {
        let document = Document(message)
        let wasOffline = isOffline
        noteAvailability(message, document)
        noteStates(message, document)
        if !message.isRetained { noteAnswer(message, document) }
        guard runningReadings == 0, reported != values || wasOffline != isOffline || reportedFault != fault else {
            return false
        }
        // After a failed reading the device is better asked.
        isPushed = reported != nil
        return true
    }

    private mutating func noteAvailability(_ message: MQTTMessage, _ document: Document) {
        guard let availability = plan.availability, availability.topic == message.topic else { return }
        switch document.value(at: availability.pointer)?.text {
        case availability.online: isOffline = false
        case availability.offline: isOffline = true
        default: break
        }
    }

    private mutating func noteStates(_ message: MQTTMessage, _ document: Document) {
        let settings = plan.settings.filter { $0.state?.topic == message.topic }
        guard !settings.isEmpty else { return }
        stateCount += 1
        faults[message.topic] = nil
        for setting in settings {
            guard let state = setting.state else { continue }
            let value = document.value(at: state.pointer)
            if state.isPartial, value == nil, !message.payload.isEmpty { continue }
            if state.pointer != nil, let fault = document.fault { faults[message.topic] = fault }
            values[setting.id] = value
            heard.insert(setting.id)
        }
    }

    private mutating func noteAnswer(_ message: MQTTMessage, _ document: Document) {
        for (transaction, command) in commands where command.response.topic == message.topic && command.answer == nil {
            if let pointer = command.response.transaction {
                guard document.value(at: pointer)?.isSame(as: .integer(transaction)) == true else { continue }
            }
            switch command.response.error.flatMap({ document.value(at: $0) }) {
            case nil, .null: commands[transaction]?.answer = .accepted
            case let error?:
                commands[transaction]?.answer = .refused(String(decoding: error.bytes.prefix(500), as: UTF8.self))
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

    mutating func endReading() {
        runningReadings -= 1
    }

    /// Whether everything has come that a reading waits for.
    ///
    /// - Parameter count: what ``stateCount`` was when the device was asked; `nil` if it was not.
    func isComplete(askedAt count: Int?) -> Bool {
        let isFresh = count.map { stateCount > $0 } ?? true
        return isFresh && (hasWaited || plan.settings.allSatisfy { $0.state == nil || heard.contains($0.id) })
    }

    /// What a reading says after it has waited as long as it may.
    mutating func reading(askedAt count: Int?) throws(DeviceError) -> [String: JSONValue] {
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

/// A payload, taken apart once for all settings that stand in it.
private struct Document {
    private let topic: String
    private let text: String?
    private let json: Result<JSONValue, JSONSyntaxError>

    init(_ message: MQTTMessage) {
        topic = message.topic
        text = message.payload.isEmpty ? nil : String(validating: message.payload, as: UTF8.self)
        json = Result { () throws(JSONSyntaxError) in
            message.payload.isEmpty ? .null : try JSONValue.parse(lenient: message.payload)
        }
    }

    /// `nil` where there is none.
    func value(at pointer: JSONPointer?) -> JSONValue? {
        guard let pointer else { return text.map { .string($0) } }
        return (try? json.get()).flatMap { pointer.value(in: $0) }
    }

    /// Why it is no JSON.
    var fault: String? {
        guard case .failure(let error) = json else { return nil }
        return "the payload on '\(topic)' \(error.reason)"
    }
}
