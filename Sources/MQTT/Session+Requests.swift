internal import CMosquitto
internal import Glibc

// What callers ask of an established connection. The library writes a packet to the socket at once where it can, on the
// caller's thread: that saves waking the network thread. What the socket does not take is left to that thread.
extension Session {
    /// Whether packets wait for the socket to take them.
    var hasUnsentPackets: Bool { mosquitto_want_write(handle) }

    func publish(
        _ message: borrowing MQTTMessage, on connection: MQTTConnection, pastLimit: Bool
    ) throws(MQTTError) -> PublishResult {
        guard pastLimit || ledger.hasRoom() else { return .full }
        // MQTT forbids to exceed the broker's maximum.
        let qos = min(message.qos.rawValue, connection.maximumQoS.rawValue)
        let properties = version == .v5 && !message.properties.isEmpty ? try message.properties.list() : PropertyList()
        guard let size = CInt(exactly: message.payload.count) else {
            throw .tooLarge(topic: message.topic, limit: connection.maximumPacketSize)
        }
        if qos == 0 { ledger.willWrite() }
        var messageID: CInt = 0
        let topicLength = message.topic.utf8.count
        let result = message.topic.withCString { topic in
            // A NUL in the topic would end it early, on another topic.
            guard strlen(topic) == topicLength else { return MOSQ_ERR_INVAL.rawValue }
            return mosquitto_publish_v5(
                handle, &messageID, topic, size, message.payload, CInt(qos), message.isRetained, properties.raw)
        }
        guard result == MOSQ_ERR_SUCCESS.rawValue else {
            if qos == 0 { ledger.didNotWrite() }
            switch result {
            case MOSQ_ERR_INVAL.rawValue, MOSQ_ERR_MALFORMED_UTF8.rawValue: throw .invalidTopic(message.topic)
            case MOSQ_ERR_OVERSIZE_PACKET.rawValue, MOSQ_ERR_PAYLOAD_SIZE.rawValue:
                throw .tooLarge(topic: message.topic, limit: connection.maximumPacketSize)
            default: throw MQTTError(result: result, doing: "publishing on '\(message.topic)'")
            }
        }
        if qos > 0 { ledger.sent(messageID, topic: message.topic, isRetained: message.isRetained) }
        record.countPublished()
        return .sent
    }

    func subscribe(
        _ subscriptions: [MQTTSubscription], limit: Duration, answer: @escaping (PendingAnswers.Answer) -> Void
    ) {
        let action = "subscribing to " + subscriptions.map { "'\($0.filter)'" }.joined(separator: ", ")
        request(subscriptions, filter: \.filter, action: action, limit: limit, answer: answer) { subscription in
            var messageID: CInt = 0
            // The library drops the options on 3.1.1.
            let result = mosquitto_subscribe_v5(
                handle, &messageID, subscription.filter, CInt(subscription.qos.rawValue), subscription.options, nil)
            return (result, messageID)
        }
    }

    func unsubscribe(_ filters: [String], limit: Duration, answer: @escaping (PendingAnswers.Answer) -> Void) {
        let action = "unsubscribing from " + filters.map { "'\($0)'" }.joined(separator: ", ")
        request(filters, filter: \.self, action: action, limit: limit, answer: answer) { filter in
            var messageID: CInt = 0
            let result = mosquitto_unsubscribe_v5(handle, &messageID, filter, nil)
            return (result, messageID)
        }
    }

    private func request<Item>(
        _ items: [Item], filter: (Item) -> String, action: String, limit: Duration,
        answer: @escaping (PendingAnswers.Answer) -> Void, send: (Item) -> (result: CInt, messageID: CInt)
    ) {
        // Looked at before anything is sent, so that a bad filter leaves nothing half done.
        if let bad = items.map(filter).first(where: {
            $0.utf8.contains(0) || mosquitto_sub_topic_check($0) != 0 || $0.isEmpty
        }) {
            return answer(.failure(.invalidFilter(bad)))
        }
        var open: [Int32: String] = [:]
        for item in items {
            let (result, messageID) = send(item)
            guard result == MOSQ_ERR_SUCCESS.rawValue else {
                return answer(.failure(MQTTError(result: result, doing: action)))
            }
            open[messageID] = filter(item)
        }
        answers.add(open, action: action, limit: limit, now: .now, answer: answer)
    }
}

extension MQTTSubscription {
    fileprivate var options: CInt {
        var options: UInt32 = 0
        if noLocal { options |= MQTT_SUB_OPT_NO_LOCAL.rawValue }
        if retainAsPublished { options |= MQTT_SUB_OPT_RETAIN_AS_PUBLISHED.rawValue }
        switch retainHandling {
        case .sendAlways: options |= MQTT_SUB_OPT_SEND_RETAIN_ALWAYS.rawValue
        case .sendIfNew: options |= MQTT_SUB_OPT_SEND_RETAIN_NEW.rawValue
        case .never: options |= MQTT_SUB_OPT_SEND_RETAIN_NEVER.rawValue
        }
        return CInt(options)
    }
}
