internal import CMosquitto
internal import Glibc

/// One attempt to connect and the connection that comes of it: owns the library's handle and all that ends with it.
///
/// `@unchecked Sendable`: until its connect call has returned, a session is known to its network thread alone. From then
/// on it sits in `MQTTClient.session`, a lock, and is used by nobody but the lock's holder. The library runs callbacks
/// only inside calls to it, hence under the same lock; so neither they nor the handle need another one. When the network
/// thread takes the session out again, it is the last to know it, and destroys it with its handle.
final class Session: @unchecked Sendable {
    let configuration: MQTTConfiguration
    let version: MQTTProtocolVersion
    let handle: OpaquePointer
    let inbox: Inbox<MQTTEvent>
    let record: ClientRecord
    private let tls: TLSContext?

    /// Set from CONNACK 0 to the end of the connection.
    var connection: MQTTConnection?
    /// What CONNACK said, other than yes.
    var refusal: Int?
    /// What the library told its disconnect callback: the reason of the broker's DISCONNECT, or a result code of its own.
    var disconnectCode: CInt?
    /// The last error the library logged, collected until a TLS connection is established.
    var lastLibraryError: String?
    var collectsLibraryErrors = false
    var ledger: PublishLedger
    /// Whether messages are for the client's handler, and the inbox is to have only the other events.
    let collectsMessages: Bool
    /// Messages for the handler, which is called when the lock is free again.
    var collected: [MQTTMessage] = []
    var answers = PendingAnswers()
    var flushes = FlushWaiters()

    init(
        _ configuration: MQTTConfiguration, version: MQTTProtocolVersion, inbox: Inbox<MQTTEvent>, record: ClientRecord,
        publishLimit: Int, collectsMessages: Bool
    ) throws(MQTTError) {
        self.collectsMessages = collectsMessages
        _ = Self.library
        self.configuration = configuration
        self.version = version
        self.inbox = inbox
        self.record = record
        ledger = PublishLedger(limit: publishLimit)
        if let settings = configuration.tls {
            tls = try TLSContext(settings, host: configuration.host)
        } else {
            tls = nil
        }
        let id = configuration.clientID.isEmpty ? nil : configuration.clientID
        guard
            let handle = mosquitto_new(
                id, version == .v311 || configuration.sessionExpiryInterval == 0 || id == nil, nil)
        else { throw .failed(doing: "creating an MQTT client", reason: String(cString: strerror(errno))) }
        self.handle = handle
        mosquitto_user_data_set(handle, Unmanaged.passUnretained(self).toOpaque())
        try configure()
        setCallbacks()
    }

    deinit {
        // No callback comes after this line, so that handing them an unretained self was right.
        mosquitto_destroy(handle)
    }

    /// The library wants to be told once per process.
    private static let library: Void = {
        mosquitto_lib_init()
    }()

    private func configure() throws(MQTTError) {
        try set(MOSQ_OPT_PROTOCOL_VERSION, version == .v5 ? MQTT_PROTOCOL_V5 : MQTT_PROTOCOL_V311)
        // Without it a small packet waits for the acknowledgement of the one before.
        try set(MOSQ_OPT_TCP_NODELAY, 1)
        // How much may be under way in each direction. The library's 20 would make bursts wait for round trips; a broker
        // that wants less says so, and is obeyed.
        try set(MOSQ_OPT_RECEIVE_MAXIMUM, 1_000)
        try set(MOSQ_OPT_SEND_MAXIMUM, 1_000)
        if configuration.user != nil || configuration.password != nil {
            let result =
                configuration.password?.reveal { mosquitto_username_pw_set(handle, configuration.user, $0) }
                ?? mosquitto_username_pw_set(handle, configuration.user, nil)
            try check(result, "setting the user name")
        }
        if let will = configuration.will { try setWill(will) }
        if let tls {
            try check(mosquitto_void_option(handle, MOSQ_OPT_SSL_CTX, tls.raw), "setting up TLS")
            // The context is complete; the library is to add nothing of its own.
            try set(MOSQ_OPT_SSL_CTX_WITH_DEFAULTS, 0)
        }
    }

    private func setWill(_ will: MQTTMessage) throws(MQTTError) {
        var properties = version == .v5 ? try will.properties.list() : PropertyList()
        let result = mosquitto_will_set_v5(
            handle, will.topic, CInt(clamping: will.payload.count), will.payload, CInt(will.qos.rawValue),
            will.isRetained,
            properties.raw)
        try check(result, "setting the will on '\(will.topic)'")
        properties.handOver()
    }

    private func set(_ option: mosq_opt_t, _ value: CInt) throws(MQTTError) {
        try check(mosquitto_int_option(handle, option, value), "setting option \(option.rawValue)")
    }

    private func check(_ result: CInt, _ action: @autoclosure () -> String) throws(MQTTError) {
        guard result == MOSQ_ERR_SUCCESS.rawValue else { throw MQTTError(result: result, doing: action()) }
    }

    /// Looks up the host, connects and sends CONNECT. Blocks for as long as the system takes for it.
    /// - Returns: why it failed, or nil.
    func connect() -> MQTTConnectionFailure? {
        var properties = PropertyList()
        if version == .v5, configuration.sessionExpiryInterval > 0 {
            // Cannot fail but for want of memory; then the session just ends with the connection.
            try? properties.add(CInt(MQTT_PROP_SESSION_EXPIRY_INTERVAL.rawValue), configuration.sessionExpiryInterval)
        }
        var errorNumber: CInt = 0
        let result = mqtt_connect(
            handle, configuration.host, CInt(clamping: configuration.port), CInt(clamping: configuration.keepAlive),
            properties.raw, &errorNumber)
        switch result {
        case MOSQ_ERR_SUCCESS.rawValue: return nil
        // A quick broker may have answered within the call, and then it is not the connecting that failed.
        case MOSQ_ERR_TLS.rawValue, MOSQ_ERR_CONN_LOST.rawValue,
            MOSQ_ERR_ERRNO.rawValue where errorNumber == EPROTO:
            return failure(result: result, errorNumber: errorNumber)
        default: return .connecting(result: result, errorNumber: errorNumber, to: configuration)
        }
    }

    /// Why TLS failed, from what OpenSSL said.
    func handshakeFailure() -> MQTTConnectionFailure {
        let name = configuration.tls?.serverName ?? configuration.host
        return tls?.verificationFailure(endpoint: configuration.endpoint, name: name)
            ?? .handshake(lastLibraryError, with: configuration)
    }
}
