import AccessorySettings
import MQTT

/// Brings messages to the sessions they are for, on the network thread: all of it takes microseconds.
struct Router: Sendable {
    let topics: BridgeTopics
    let map: TopicMap
    let sessions: [String: AccessorySession]
    let conventions: [any Convention]
    let output: BridgeOutput
    let requests: Requests
    /// The prefix of Home Assistant's discovery, on which no answers are published.
    let discoveryTopic: String
    /// Publishes one of the bridge's own topics again.
    let correctBridge: @Sendable (_ topic: String) -> Void

    func route(_ message: MQTTMessage, _ version: MQTTProtocolVersion) {
        switch map.route(message.topic) {
        case .ignored: for convention in conventions { convention.received(message) }
        case .unknownSetting(let accessory, let level, let isGet):
            let route: AccessoryRoute = isGet ? .get(setting: level) : .set(setting: level)
            guard let command = command(message, route, version) else { return }
            refuse(
                command, accessory: accessory, Refusal(.unknownSetting, setting: level, "there is no setting \(level)"))
        case .accessory(let id, .state(let topic)):
            // With 3.1.1 there is no telling our own publishes from foreign ones.
            if version == .v5 { sessions[id]?.correct(topic) }
        case .accessory(let id, let route):
            guard let command = command(message, route, version) else { return }
            sessions[id]?.receive(command)
        case .unknownAccessory(let id, let route):
            guard route.isCommand, let command = command(message, route, version) else { return }
            let named: String? =
                switch route {
                case .set(let setting), .get(let setting): setting
                case .state: nil
                }
            refuse(
                command, accessory: id,
                Refusal(.unknownAccessory, setting: named, "there is no accessory of this name"))
        case .request(let verb):
            if version == .v311 && message.isRetained { return }
            requests.handle(verb, message, sender(of: message))
        case .bridgeState(let topic):
            if version == .v5 { correctBridge(topic) }
        }
    }

    private func command(_ message: MQTTMessage, _ route: AccessoryRoute, _ version: MQTTProtocolVersion) -> Command? {
        let kind: Command.Kind
        switch route {
        case .set(let setting):
            guard !message.payload.isEmpty else {
                output.log.debug("mqtt", "\(message.topic): an empty message is no command")
                return nil
            }
            kind = .set(setting: setting)
        case .get(let setting): kind = .get(setting: setting)
        case .state: return nil
        }
        if version == .v311 && message.isRetained {
            output.log.debug("mqtt", "\(message.topic): dropped a retained command")
            return nil
        }
        var sender = sender(of: message)
        if case .get = kind { sender.transaction = SetPayload.transaction(in: message.payload) }
        return Command(
            kind: kind, payload: message.payload, isRetained: message.isRetained, sender: sender, receivedAt: .now)
    }

    private func sender(of message: MQTTMessage) -> Sender {
        Sender(of: message, base: topics.base, discovery: discoveryTopic)
    }

    private func refuse(_ command: Command, accessory: String, _ refusal: Refusal) {
        var sender = command.sender
        sender.transaction = SetPayload.transaction(in: command.payload)
        let verb: Answer.Verb = if case .get = command.kind { .get } else { .set }
        let answer = Answer(verb: verb, accessory: accessory, outcome: .refused([refusal]), sender: sender)
        output.log.warning("bridge", "\(verb.rawValue) refused: \(answer.message)")
        output.answer(answer)
    }
}
