import AccessorySettings
import Foundation
import Testing

@testable import DeviceProviders
@testable import SettingsBridge

@MainActor @Suite("Authentication over HTTP") struct HTTPAuthenticationTests {
    private func provider(_ auth: String) -> String { "\(auth), " + HTTPDeviceTests.simple }

    @Test func basicAndBearerAreSentAtOnce() async throws {
        let device = try StandInServer { _ in .json("1") }
        let basic = #""auth": { "type": "basic", "user": "admin", "password": "pässword" }"#
        _ = try await HTTPAccessory(device.url, provider(basic)).read()
        let bearer = #""auth": { "type": "bearer", "token": { "env": "TOKEN" } }"#
        _ = try await HTTPAccessory(device.url, provider(bearer), environment: ["TOKEN": "abc.def"]).read()
        #expect(
            device.requests.map { $0.field("Authorization") } == [
                "Basic " + Data("admin:pässword".utf8).base64EncodedString(), "Bearer abc.def",
            ])
    }

    /// The examples of RFC 7616, section 3.9.1.
    @Test(arguments: [
        ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
        ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
    ])
    func digestProofsAreThoseOfTheStandard(_ algorithm: String, _ response: String) throws {
        var challenge = try #require(
            DigestChallenge([
                """
                Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=\(algorithm), \
                nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
                """
            ]))
        challenge.count = 1
        let answer = try #require(
            challenge.answer(
                method: "GET", target: "/dir/index.html", "Mufasa", "Circle of Life",
                clientNonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"))
        #expect(answer.contains("response=\"\(response)\""))
        #expect(
            answer.contains("nc=00000001") && answer.contains("qop=auth,") && answer.contains("algorithm=\(algorithm)"))
    }

    /// Without `qop`, as RFC 2069 had it; the values are those of Wikipedia's and curl's classic example.
    @Test func theOldestDigestWorks() throws {
        let challenge = try #require(
            DigestChallenge([
                #"Basic realm="x", Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093""#
            ]))
        let answer = try #require(
            challenge.answer(method: "GET", target: "/dir/index.html", "Mufasa", "Circle Of Life"))
        #expect(answer.contains(#"response="670fd8c2df070c60b045671b8b24ff02""#))
        #expect(!answer.contains("qop"))
    }

    @Test func challengesAreTakenApart() {
        #expect(
            AuthenticationChallenge.parse(#"Negotiate, Basic realm="a, \"b\"", Digest nonce=1 , qop="auth",realm="""#)
                == [
                    AuthenticationChallenge(scheme: "negotiate"),
                    AuthenticationChallenge(scheme: "basic", parameters: ["realm": #"a, "b""#]),
                    AuthenticationChallenge(scheme: "digest", parameters: ["nonce": "1", "qop": "auth", "realm": ""]),
                ])
        for broken in [
            "", "=", "a=b", "Digest =", "Digest realm=\"", ",,,", "Digest realm",
            #"Digest realm="a", nonce="b", qop="auth-int""#, #"Digest realm="a", nonce="b", algorithm=SHA-512-256"#,
        ] {
            #expect(DigestChallenge([broken]) == nil, "\(broken)")
        }
    }

    private static let digest = #""auth": { "type": "digest", "user": "admin", "password": "correct horse" }"#

    @Test func aDigestIsProvedWhenTheDeviceAsksAndThenAtOnce() async throws {
        let device = try StandInServer { request in
            guard request.field("Authorization") != nil else {
                return .answer(
                    401,
                    fields: [#"WWW-Authenticate: Digest qop="auth", realm="shelly", nonce="60", algorithm=SHA-256"#])
            }
            return .json("1")
        }
        let accessory = try HTTPAccessory(device.url, provider(Self.digest))
        try await accessory.write(["level": .number(1)])
        let proofs = device.requests.map { $0.field("Authorization") }
        #expect(device.requests.map(\.method) == ["GET", "GET", "PUT"])
        #expect(proofs[0] == nil)
        #expect(proofs[1]?.contains("nc=00000001") == true)
        #expect(proofs[2]?.contains("nc=00000002") == true)
        #expect(proofs[2]?.contains(#"uri="/level""#) == true)
        #expect(device.requests.last?.text == "1")
    }

    @Test func aWrongPasswordIsNamedAfterOneTry() async throws {
        let device = try StandInServer { _ in
            .answer(401, fields: [#"WWW-Authenticate: Digest realm="x", nonce="1""#])
        }
        let failure = try await HTTPAccessory(device.url, provider(Self.digest)).readFailure()
        #expect(
            failure?.description
                == "GET \(device.url)/all (all) failed: answered 401 Unauthorized: the device does not accept 'auth'; it asks "
                + "for digest")
        #expect(device.requests.count == 2)
    }

    @Test func aDeviceThatWantsSomethingElseIsNamed() async throws {
        let device = try StandInServer { _ in .answer(401, fields: [#"WWW-Authenticate: Basic realm="x""#]) }
        #expect(
            try await HTTPAccessory(device.url, provider(Self.digest)).readFailure()?.description
                == "GET \(device.url)/all (all) failed: answered 401 Unauthorized without a digest challenge that can be met"
        )
    }

    @Test func aTokenHandedOutWithARefusalIsSentAlong() async throws {
        let device = try StandInServer { request in
            let wanted = request.method == "PUT" ? "two" : "one"
            return request.field("X-Session") == wanted
                ? .json("1") : .answer(409, "no", fields: ["x-session: \(wanted)"])
        }
        let accessory = try HTTPAccessory(device.url, #""session_header": "X-Session", "# + HTTPDeviceTests.simple)
        _ = try await accessory.read()
        try await accessory.write(["level": .number(2)])
        #expect(device.requests.map { $0.field("X-Session") } == [nil, "one", "one", "one", "two"])
        #expect(device.requests.map(\.method) == ["GET", "GET", "GET", "PUT", "PUT"])
    }

    @Test func aTokenThatIsNeverGoodIsGivenUp() async throws {
        let device = try StandInServer { _ in .answer(409, "no", type: "text/plain", fields: ["X-Session: x"]) }
        #expect(
            try await HTTPAccessory(device.url, #""session_header": "X-Session", "# + HTTPDeviceTests.simple)
                .readFailure()?.description == #"GET \#(device.url)/all (all) failed: answered 409 Conflict with "no""#)
        #expect(device.requests.count == 2)
    }
}
