internal import CMosquitto
internal import Glibc

/// A property list in the library's memory, freed with this value unless it was handed over.
struct PropertyList: ~Copyable {
    private(set) var raw: OpaquePointer?

    init() {}

    deinit {
        var list = raw
        mosquitto_property_free_all(&list)
    }

    /// For the calls that keep the list: the library frees it from now on.
    mutating func handOver() { raw = nil }

    mutating func add(_ identifier: CInt, _ value: UInt32) throws(MQTTError) {
        try check(mosquitto_property_add_int32(&raw, identifier, value), identifier)
    }

    mutating func add(_ identifier: CInt, _ value: String) throws(MQTTError) {
        try check(mosquitto_property_add_string(&raw, identifier, value), identifier)
    }

    mutating func add(_ identifier: CInt, _ value: [UInt8]) throws(MQTTError) {
        guard let length = UInt16(exactly: value.count) else {
            throw .failed(doing: "setting \(Self.name(of: identifier))", reason: "longer than 65,535 bytes")
        }
        try check(mosquitto_property_add_binary(&raw, identifier, value, length), identifier)
    }

    mutating func add(_ identifier: CInt, _ name: String, _ value: String) throws(MQTTError) {
        try check(mosquitto_property_add_string_pair(&raw, identifier, name, value), identifier)
    }

    private func check(_ result: CInt, _ identifier: CInt) throws(MQTTError) {
        guard result == MOSQ_ERR_SUCCESS.rawValue else {
            throw MQTTError(result: result, doing: "setting \(Self.name(of: identifier))")
        }
    }

    private static func name(of identifier: CInt) -> String {
        mosquitto_property_identifier_to_string(identifier).map { String(cString: $0) } ?? "property \(identifier)"
    }
}

extension MQTTProperties {
    /// The properties of an arriving message.
    init(copying list: OpaquePointer) {
        self.init()
        var next: OpaquePointer? = list
        while let property = next {
            switch mosquitto_property_identifier(property) {
            case CInt(MQTT_PROP_RESPONSE_TOPIC.rawValue): responseTopic = Self.string(property)
            case CInt(MQTT_PROP_CORRELATION_DATA.rawValue): correlationData = Self.bytes(property)
            case CInt(MQTT_PROP_CONTENT_TYPE.rawValue): contentType = Self.string(property)
            case CInt(MQTT_PROP_MESSAGE_EXPIRY_INTERVAL.rawValue):
                var seconds: UInt32 = 0
                mosquitto_property_read_int32(property, mosquitto_property_identifier(property), &seconds, false)
                messageExpiryInterval = seconds
            case CInt(MQTT_PROP_USER_PROPERTY.rawValue):
                if let pair = Self.pair(property) { userProperties.append(pair) }
            default: break
            }
            next = mosquitto_property_next(property)
        }
    }

    /// The same in the library's memory.
    func list() throws(MQTTError) -> PropertyList {
        var list = PropertyList()
        if let responseTopic { try list.add(CInt(MQTT_PROP_RESPONSE_TOPIC.rawValue), responseTopic) }
        if let correlationData { try list.add(CInt(MQTT_PROP_CORRELATION_DATA.rawValue), correlationData) }
        if let contentType { try list.add(CInt(MQTT_PROP_CONTENT_TYPE.rawValue), contentType) }
        if let messageExpiryInterval {
            try list.add(CInt(MQTT_PROP_MESSAGE_EXPIRY_INTERVAL.rawValue), messageExpiryInterval)
        }
        for property in userProperties {
            try list.add(CInt(MQTT_PROP_USER_PROPERTY.rawValue), property.name, property.value)
        }
        return list
    }

    // The library hands out copies, which are ours to free.

    private static func string(_ property: OpaquePointer) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        mosquitto_property_read_string(property, mosquitto_property_identifier(property), &text, false)
        defer { free(text) }
        return text.map { String(cString: $0) }
    }

    private static func bytes(_ property: OpaquePointer) -> [UInt8] {
        var data: UnsafeMutableRawPointer?
        var length: UInt16 = 0
        mosquitto_property_read_binary(property, mosquitto_property_identifier(property), &data, &length, false)
        defer { free(data) }
        return Array(UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : Int(length)))
    }

    private static func pair(_ property: OpaquePointer) -> UserProperty? {
        var name: UnsafeMutablePointer<CChar>?
        var value: UnsafeMutablePointer<CChar>?
        mosquitto_property_read_string_pair(property, mosquitto_property_identifier(property), &name, &value, false)
        defer {
            free(name)
            free(value)
        }
        guard let name, let value else { return nil }
        return UserProperty(name: String(cString: name), value: String(cString: value))
    }
}
