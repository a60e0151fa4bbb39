/// How surely a message is delivered (MQTT 5, section 4.3).
public enum QoS: UInt8, Sendable {
    case atMostOnce = 0
    case atLeastOnce
    case exactlyOnce
}

/// The MQTT 5 properties of a message that people use. MQTT 3.1.1 has none: there they are left out when publishing.
public struct MQTTProperties: Sendable, Equatable {
    /// A name and a value; names may repeat and order is kept.
    public struct UserProperty: Sendable, Equatable {
        public var name: String
        public var value: String

        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Where the sender wants the answer.
    public var responseTopic: String?
    /// What the answer repeats, so that the sender recognises it; at most 65,535 bytes.
    public var correlationData: [UInt8]?
    /// For example `application/json`.
    public var contentType: String?
    /// Seconds after which the broker drops the message.
    public var messageExpiryInterval: UInt32?
    public var userProperties: [UserProperty]

    public init(
        responseTopic: String? = nil, correlationData: [UInt8]? = nil, contentType: String? = nil,
        messageExpiryInterval: UInt32? = nil, userProperties: [UserProperty] = []
    ) {
        self.responseTopic = responseTopic
        self.correlationData = correlationData
        self.contentType = contentType
        self.messageExpiryInterval = messageExpiryInterval
        self.userProperties = userProperties
    }

    public var isEmpty: Bool {
        responseTopic == nil && correlationData == nil && contentType == nil && messageExpiryInterval == nil
            && userProperties.isEmpty
    }
}

/// A message received, to publish, or left as a will.
public struct MQTTMessage: Sendable, Equatable {
    public var topic: String
    public var payload: [UInt8]
    public var qos: QoS
    /// To publish: whether the broker keeps it. Received: whether it is one the broker kept, or, on a subscription with
    /// `retainAsPublished`, whether its sender asked for that.
    public var isRetained: Bool
    public var properties: MQTTProperties

    public init(
        topic: String, payload: [UInt8], qos: QoS = .atLeastOnce, isRetained: Bool = false,
        properties: MQTTProperties = MQTTProperties()
    ) {
        self.topic = topic
        self.payload = payload
        self.qos = qos
        self.isRetained = isRetained
        self.properties = properties
    }

    /// A message whose payload is the text in UTF-8.
    public init(
        topic: String, payload: String, qos: QoS = .atLeastOnce, isRetained: Bool = false,
        properties: MQTTProperties = MQTTProperties()
    ) {
        self.init(topic: topic, payload: Array(payload.utf8), qos: qos, isRetained: isRetained, properties: properties)
    }
}
