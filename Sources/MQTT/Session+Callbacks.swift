internal import CMosquitto

// The library's callbacks. They copy what they are given, note it, and return: the library holds locks meanwhile.
// Each is called inside a call to the library, so under the lock that guards the session; the network thread wakes the
// consumer afterwards.
extension Session {
    func setCallbacks() {
        mosquitto_connect_v5_callback_set(handle) { _, session, code, flags, properties in
            Session.from(session)?.answeredConnect(code: code, flags: flags, properties)
        }
        mosquitto_disconnect_v5_callback_set(handle) { _, session, code, _ in
            Session.from(session)?.disconnectCode = code
        }
        mosquitto_message_v5_callback_set(handle) { _, session, message, properties in
            guard let message, let session = Session.from(session) else { return }
            session.received(message.pointee, properties)
        }
        mosquitto_publish_v5_callback_set(handle) { _, session, messageID, reason, _ in
            Session.from(session)?.acknowledged(messageID, reason: reason)
        }
        mosquitto_subscribe_v5_callback_set(handle) { _, session, messageID, count, granted, _ in
            let codes = UnsafeBufferPointer(start: granted, count: Int(count))
            // 3.1.1 knows one refusal, 128, which is MQTT 5's "unspecified error".
            let refusal = codes.first { $0 >= 128 }.map { MQTTReasonCode(rawValue: UInt8(clamping: $0)) }
            Session.from(session)?.answers.answered(messageID, refusal: refusal)
        }
        mosquitto_unsubscribe_v5_callback_set(handle) { _, session, messageID, _ in
            Session.from(session)?.answers.answered(messageID)
        }
        if configuration.tls != nil {
            collectsLibraryErrors = true
            mosquitto_log_callback_set(handle) { _, session, level, text in
                guard level == MOSQ_LOG_ERR, let text, let session = Session.from(session) else { return }
                session.lastLibraryError = String(cString: text)
            }
        }
    }

    private static func from(_ pointer: UnsafeMutableRawPointer?) -> Session? {
        pointer.map { Unmanaged<Session>.fromOpaque($0).takeUnretainedValue() }
    }

    private func answeredConnect(code: CInt, flags: CInt, _ properties: OpaquePointer?) {
        guard code == 0 else {
            refusal = Int(code)
            return
        }
        var connection = MQTTConnection(
            protocolVersion: version, sessionPresent: flags & 1 == 1, keepAlive: configuration.keepAlive)
        var (packetSize, qos, retain, keepAlive): (UInt32, UInt8, UInt8, UInt16) = (0, 0, 0, 0)
        if mosquitto_property_read_int32(properties, CInt(MQTT_PROP_MAXIMUM_PACKET_SIZE.rawValue), &packetSize, false)
            != nil
        {
            connection.maximumPacketSize = packetSize
        }
        if mosquitto_property_read_byte(properties, CInt(MQTT_PROP_MAXIMUM_QOS.rawValue), &qos, false) != nil {
            connection.maximumQoS = QoS(rawValue: qos) ?? .exactlyOnce
        }
        if mosquitto_property_read_byte(properties, CInt(MQTT_PROP_RETAIN_AVAILABLE.rawValue), &retain, false) != nil {
            connection.retainAvailable = retain != 0
        }
        if mosquitto_property_read_int16(properties, CInt(MQTT_PROP_SERVER_KEEP_ALIVE.rawValue), &keepAlive, false)
            != nil
        {
            connection.keepAlive = Int(keepAlive)
        }
        self.connection = connection
        record.connected(version)
        inbox.append(.connected(connection))
    }

    private func received(_ message: mosquitto_message, _ properties: OpaquePointer?) {
        guard let topic = message.topic else { return }
        let bytes = UnsafeRawBufferPointer(start: message.payload, count: Int(message.payloadlen))
        record.countReceived()
        let copy = MQTTMessage(
            topic: String(cString: topic), payload: Array(bytes),
            qos: QoS(rawValue: UInt8(clamping: message.qos)) ?? .atMostOnce, isRetained: message.retain,
            properties: properties.map(MQTTProperties.init(copying:)) ?? MQTTProperties())
        if collectsMessages {
            collected.append(copy)
        } else {
            inbox.append(.message(copy))
        }
    }

    private func acknowledged(_ messageID: CInt, reason: CInt) {
        let topic = ledger.acknowledged(messageID, isRefusal: reason >= 128)
        if let topic, reason >= 128 {
            inbox.append(.publishRefused(topic: topic, reason: MQTTReasonCode(rawValue: UInt8(clamping: reason))))
        }
        // With QoS 0 this may run on a publisher's thread, which wakes nobody.
        if ledger.hasRoomAgain() { inbox.push(.roomForPublishes) }
        if ledger.count == 0 { flushes.finish(true) }
    }
}
