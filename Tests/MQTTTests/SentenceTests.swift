import Testing

@testable import MQTT

@Suite struct SentenceTests {
    static let configuration = MQTTConfiguration(
        host: "broker.lan", port: 1883, clientID: "settings2mqtt", user: "bridge", password: Secret("hush"))

    @Test(
        arguments: [
            (
                .v5, 134, .badCredentials,
                "the broker at broker.lan:1883 refused user 'bridge': bad user name or password (reason 134)"
            ),
            (
                .v5, 135, .badCredentials,
                "the broker at broker.lan:1883 refused user 'bridge': not authorised, or bad user name or password (reason 135)"
            ),
            (
                .v311, 4, .badCredentials,
                "the broker at broker.lan:1883 refused user 'bridge': bad user name or password (return code 4)"
            ),
            (.v311, 1, .unsupportedVersion, "the broker at broker.lan:1883 does not speak MQTT 3.1.1 (return code 1)"),
            (.v5, 132, .unsupportedVersion, "the broker at broker.lan:1883 does not speak MQTT 5"),
            (
                .v311, 2, .refused,
                "the broker at broker.lan:1883 does not accept the client id 'settings2mqtt' (return code 2)"
            ),
            (
                .v5, 136, .refused,
                "the broker at broker.lan:1883 refused the connection: server unavailable (reason 136)"
            ),
        ] as [(MQTTProtocolVersion, Int, MQTTConnectionFailure.Kind, String)])
    func refusals(
        version: MQTTProtocolVersion, code: Int, kind: MQTTConnectionFailure.Kind, sentence: String
    ) {
        let failure = MQTTConnectionFailure.refused(code: code, version: version, by: Self.configuration)
        #expect(failure.kind == kind)
        #expect(failure.description == sentence)
    }

    @Test func withoutAUserNobodyIsNamed() {
        let configuration = MQTTConfiguration(host: "::1", port: 1884, clientID: "c")
        let failure = MQTTConnectionFailure.refused(code: 135, version: .v5, by: configuration)
        #expect(
            failure.description
                == "the broker at [::1]:1884 refused the connection without a user name: not authorised, or "
                + "bad user name or password (reason 135)")
    }

    @Test(
        arguments: [
            (
                62, .certificateNameMismatch,
                "is for another name: asked for broker.lan, the certificate is for a.example, b.example"
            ),
            (
                20, .certificateNotTrusted,
                "is not trusted: it was issued by 'Some CA', which is not among the trusted certificates (why)"
            ),
            (10, .certificateExpired, "expired on 2021-06-01 00:00:00 UTC"),
            (9, .certificateExpired, "is not valid before 2031-01-01 00:00:00 UTC"),
            (23, .tls, "was not accepted: why"),
        ] as [(Int32, MQTTConnectionFailure.Kind, String)])
    func certificates(error: Int32, kind: MQTTConnectionFailure.Kind, ending: String) {
        let failure = MQTTConnectionFailure.certificate(
            error: error, reason: "why", endpoint: "broker.lan:8883", name: "broker.lan", names: "a.example, b.example",
            issuer: "Some CA", validFrom: "2031-01-01 00:00:00", validUntil: "2021-06-01 00:00:00")
        #expect(failure.kind == kind)
        #expect(failure.description == "the certificate of the broker at broker.lan:8883 \(ending)")
    }

    @Test(
        arguments: [
            (.notConnected(doing: "publishing on 'a'"), "publishing on 'a': not connected to the broker"),
            (
                .tooLarge(topic: "a", limit: 100),
                "the message for 'a' is too large: the broker takes packets up to 100 bytes"
            ),
            (.tooLarge(topic: "a", limit: nil), "the message for 'a' is too large"),
            (
                .subscriptionRefused(filter: "a/#", reason: .notAuthorized),
                "the broker refused the subscription to 'a/#': not authorised (reason 135)"
            ),
            (
                .noAnswer(doing: "subscribing to 'a'", limit: .seconds(10)),
                "subscribing to 'a': the broker did not answer within 10 s"
            ),
        ] as [(MQTTError, String)])
    func errors(error: MQTTError, sentence: String) {
        #expect(error.description == sentence)
    }
}
