import Foundation
import MQTT
import SettingsBridge

/// No bridge answers: what is the matter, and what to do.
struct NoAnswer: Error, CustomStringConvertible {
    var description: String
}

/// One request to a running bridge, and its answer.
///
/// It works the same with MQTT 5 and 3.1.1, and with access control that knows topics only: the answer comes on
/// `<base>/bridge/response/<verb>` and is known by its transaction.
struct BridgeConnection {
    /// A retained message comes right behind the confirmation of a subscription.
    static let stateLimit = Duration.seconds(2)

    private let address: BridgeAddress
    private let timeout: Duration
    private let client: MQTTClient

    init(_ address: BridgeAddress, timeout: Duration) {
        self.address = address
        self.timeout = timeout
        client = MQTTClient(address.connection)
    }

    /// Asks the bridge and waits for its answer.
    ///
    /// - Parameters:
    ///   - verb: what `bridge/request/` ends in.
    ///   - parameters: writes the members of the request beside `transaction`.
    func ask(_ verb: String, _ parameters: (inout JSONWriter) -> Void = { _ in }) async throws(NoAnswer) -> BridgeAnswer
    {
        let transaction = UUID().uuidString
        var request = JSONWriter()
        request.object {
            parameters(&$0)
            $0.key("transaction")
            $0.value(JSONValue.string(transaction))
        }
        let question = Question(verb: verb, payload: request.bytes, transaction: transaction)
        return try await withTaskGroup(of: Void.self) { [client, timeout] group in
            group.addTask { await client.run() }
            group.addTask {
                try? await Task.sleep(for: timeout)
                await client.stop()
            }
            let result: Result<BridgeAnswer, NoAnswer>
            do throws(NoAnswer) {
                result = .success(try await converse(question))
            } catch {
                result = .failure(error)
            }
            group.cancelAll()
            return result
        }.get()
    }

    private struct Question {
        let verb: String
        let payload: [UInt8]
        let transaction: String
    }

    private func converse(_ question: Question) async throws(NoAnswer) -> BridgeAnswer {
        guard try await client.waitForConnection() else {
            throw NoAnswer(description: "there is no connection to \(address.server) after \(timeout.text)")
        }
        let response = address.topics.response(to: question.verb)
        do throws(MQTTError) {
            try await client.subscribe([
                MQTTSubscription(filter: response), MQTTSubscription(filter: address.topics.state),
            ])
        } catch .notConnected {
            // The events tell why, if it was not the end of the time.
            for await event in client.events { _ = try state(in: event) }
            throw NoAnswer(description: "the broker at \(address.server) has not answered within \(timeout.text)")
        } catch {
            throw NoAnswer(description: error.description)
        }
        try await waitForBridge()
        do throws(MQTTError) {
            // Who asked is gone when the time is up; the bridge need not do it later.
            let expiry = UInt32(clamping: timeout.components.seconds + 1)
            _ = try client.publish(
                MQTTMessage(
                    topic: address.topics.request(question.verb), payload: question.payload,
                    properties: MQTTProperties(messageExpiryInterval: expiry)))
        } catch {
            throw NoAnswer(description: error.description)
        }
        return try await waitForAnswer(to: question, on: response)
    }

    /// Waits for the word that the bridge is online, so that no request is left behind for a later one.
    private func waitForBridge() async throws(NoAnswer) {
        let deadline = ContinuousClock.now + Self.stateLimit
        while let event = await client.nextEvent(until: deadline) {
            if try state(in: event) == true { return }
        }
        throw NoAnswer(
            description: "\(address.noBridge); start it, or name its broker and base topic with -c FILE, --server or "
                + "--base-topic")
    }

    private func waitForAnswer(to question: Question, on topic: String) async throws(NoAnswer) -> BridgeAnswer {
        for await event in client.events {
            switch event {
            case .message(let message) where message.topic == topic:
                guard let answer = BridgeAnswer(message.payload), answer.transaction == question.transaction else {
                    continue
                }
                return answer
            case .publishRefused(let topic, let reason):
                throw NoAnswer(description: "the broker did not take the message for \(topic): \(reason)")
            default: _ = try state(in: event)
            }
        }
        throw NoAnswer(
            description: "the bridge has not answered on \(topic) within \(timeout.text); what was asked for "
                + "may still be done; see its log, or allow it more time with --timeout")
    }

    /// Whether the event says that the bridge is online; `nil` when it says nothing about it.
    ///
    /// - Throws: when the bridge is not there, or the connection is gone.
    private func state(in event: MQTTEvent) throws(NoAnswer) -> Bool? {
        switch event {
        case .message(let message) where message.topic == address.topics.state:
            guard message.payload == Array("online".utf8) else {
                throw NoAnswer(
                    description: "the bridge is offline: \(message.topic) at \(address.server) says so; start it first")
            }
            return true
        case .disconnected(let failure, _), .connectionFailed(let failure, _, _):
            throw NoAnswer(description: failure.description)
        default: return nil
        }
    }
}

extension Duration {
    /// `30 s`, `0.5 s`
    var text: String { "\((self / .seconds(1)).formatted(.number.locale(Locale(identifier: "en_US_POSIX")))) s" }
}
