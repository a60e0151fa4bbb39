import Foundation
import Testing

@testable import DeviceProviders
@testable import SettingsBridge

@Suite("Configuration of devices over HTTP") struct HTTPConfigurationTests {
    private static let read = #""reads": { "all": { "path": "/all" } }"#
    private static let text = #""settings": { "x": { "kind": "information", "read": "all#/x" } }"#

    private func provider(_ more: String) -> String { "\(Self.read), \(Self.text), \(more)" }

    @Test(arguments: [
        ("", "url: must not be empty"),
        ("lamp", "url: must be an address such as http://192.168.1.20 or https://host:8443/path"),
        ("ftp://lamp", "url: must begin with http:// or https://"),
        ("http://", "url: must be an address such as http://192.168.1.20 or https://host:8443/path"),
        ("http://admin:pw@lamp", "url: must not contain a user or a password; they belong to 'auth'"),
        ("http://lamp/x?a=b", "url: must not contain ? or #; a query belongs to the requests"),
        ("http://lamp:70000", "url: the port must be a number from 1 to 65535"),
    ])
    func addresses(_ url: String, _ fault: String) {
        #expect(httpFaults("\(Self.read), \(Self.text)", url: url) == [fault])
    }

    @Test func addressesAreTakenApart() throws {
        #expect(try HTTPOrigin.parse("HTTPS://Host/a/b//").origin == HTTPOrigin(isTLS: true, host: "Host", port: 443))
        #expect(try HTTPOrigin.parse("https://host/a/b//").path == "/a/b")
        let six = try HTTPOrigin.parse("http://[::1]:8080").origin
        #expect(six == HTTPOrigin(isTLS: false, host: "::1", port: 8080))
        #expect(six.description == "http://[::1]:8080")
    }

    @Test(
        arguments: [
            (#""auth": { "type": "digest" }"#, ["auth.user: is missing", "auth.password: is missing"]),
            (#""auth": { "type": "basic", "user": "a:b", "password": "x" }"#, ["auth.user: must not contain a colon"]),
            (
                #""auth": { "type": "bearer", "user": "a" }"#,
                ["auth.user: does not belong to bearer, which takes 'token'", "auth.token: is missing"]
            ),
            (#""auth": { "type": "bearer", "token": "a\nb" }"#, ["auth.token: must not contain control characters"]),
            (
                #""auth": { "type": "basic", "user": "a", "password": "b", "token": "c" }"#,
                ["auth.token: belongs to bearer; basic takes 'user' and 'password'"]
            ),
            (#""auth": { "type": "oauth" }"#, ["auth.type: must be one of basic, digest, bearer, found 'oauth'"]),
            (#""ca": "/etc/hostname""#, ["ca: needs a url that begins with https://"]),
            (#""fingerprint": "00""#, ["fingerprint: needs a url that begins with https://"]),
            (#""session_header": "a b""#, ["session_header: must be the name of a header: letters, digits and -"]),
            (
                #""secrets": { "value": "x" }"#,
                ["secrets.value: is the name of the value that is written; choose another"]
            ),
            (#""secrets": { "a-b": "x" }"#, ["secrets.a-b: must be a name of letters, digits and _"]),
            (#""headers": { "A B": "x" }"#, ["headers.A B: is no name of a header"]),
            (#""headers": { "Content-Length": "1" }"#, ["headers.Content-Length: is set by the request itself"]),
            (
                #""headers": { "X": "{{value}}" }"#,
                [#"headers.X: may have places for 'secrets' only, as in "{{token}}""#]
            ),
            (
                #""secrets": { "t": { "env": "LINES" } }, "headers": { "X": "{{t}}" }"#,
                ["headers.X: must not hold control characters, nor a secret that has some"]
            ),
            (#""limit": 10"#, ["limit: must be a whole number from 1000 to 100000000, found 10"]),
            (#""timeout": "0s""#, ["timeout: must be 1ms to 10m, found '0s'"]),
            (#""methods": 1"#, nil),
        ] as [(String, [String]?)])
    func sections(_ more: String, _ faults: [String]?) {
        let found: [String]
        do {
            _ = try httpConfiguration("http://lamp", provider(more), environment: ["LINES": "a\r\nb"])
            found = []
        } catch {
            found = error.faults.map { "\($0.path.replacing("accessories[0].provider.", with: "")): \($0.message)" }
        }
        if let faults { #expect(Set(found) == Set(faults)) } else { #expect(found.count == 1) }
    }

    @Test(arguments: [
        (#""fingerprint": "00""#, "fingerprint: must be the certificate's SHA-256 in 64 hexadecimal digits"),
        (#""ca": "/nowhere.pem""#, "ca: /nowhere.pem can't be read: No such file or directory"),
        (
            #""ca": "/etc/hostname", "fingerprint": "\#(String(repeating: "0a:", count: 31))0a""#,
            "fingerprint: can't stand beside 'ca': a certificate is accepted by the one or by the other"
        ),
    ])
    func certificates(_ more: String, _ fault: String) {
        #expect(httpFaults(provider(more), url: "https://lamp") == [fault])
    }

    @Test(arguments: [
        (#""path": "all""#, "path: must begin with /"),
        (
            #""path": "/a b""#,
            "path: must hold only what a URL may hold; anything else stands there percent-encoded, as %20"
        ),
        (
            #""path": "/a%2""#,
            "path: must hold only what a URL may hold; anything else stands there percent-encoded, as %20"
        ),
        (
            #""path": "/a#b""#,
            "path: must hold only what a URL may hold; anything else stands there percent-encoded, as %20"
        ),
        (#""path": "/{{value}}""#, "path: has no {{value}} to insert: only a setting's 'write' has one"),
        (#""path": "/{{token}}""#, "path: {{token}} must be one of the names; there is none here"),
        (#""path": "/{{to ken}}""#, "path: has a {{ without a name and }} behind it"),
        (#""method": "get""#, "method: must be one of GET, POST, PUT, PATCH, DELETE, found 'get'; did you mean 'GET'?"),
        (#""method": "GET", "body": 1"#, "method: must not be GET with a body"),
        (#""form": {}, "body": 1"#, "form: can't stand beside 'body'"),
        (#""body": { "{{x}}": 1 }"#, "body: a key can't hold {{"),
        (#""body": [Infinity]"#, "body: must hold finite numbers only"),
        (#""expect": {}"#, "expect.pointer: is missing"),
        (
            #""expect": { "pointer": "a" }"#,
            #"expect.pointer: must be a JSON Pointer such as "/config/power" (~1 stands for /, ~0 for ~)"#
        ),
    ])
    func requests(_ request: String, _ fault: String) {
        let found = httpFaults(#""reads": { "all": { \#(request) } }, \#(Self.text)"#)
        #expect(found.first == "reads.all." + fault && found.count == 1, "\(found)")
    }

    @Test(arguments: [
        (
            #""kind": "toggle", "read": "all#/x""#,
            ["write: is missing: the request that changes it; or the kind is information"]
        ),
        (
            #""kind": "toggle", "read": "all#/x", "write": {}"#,
            [#"write: must have a place for the value: "{{value}}""#]
        ),
        (
            #""kind": "toggle", "read": "all#/x", "write": { "body": "is {{value}}" }"#,
            [#"write.body: {{value}} must be the whole string: "{{value}}""#]
        ),
        (
            #""kind": "toggle", "read": "all#/x", "write": { "path": "/{{vlaue}}" }"#,
            ["write.path: {{vlaue}} must be one of the names: value"]
        ),
        (
            #""kind": "information", "read": "all#/x", "write": { "body": "{{value}}" }"#,
            ["write: does not belong to information, which can't be changed"]
        ),
        (#""kind": "information""#, [#"read: is missing: where the value is read, as in "config#/device/eco_mode""#]),
        (#""kind": "information", "read": "al#/x""#, ["read: must name one of the reads: all"]),
        (
            #""kind": "information", "read": "all#x""#,
            [#"read: must have a JSON Pointer behind the #, as in "config#/device/eco_mode""#]
        ),
        (
            #""kind": "information", "read": "all#/~2""#,
            [#"read: must have a JSON Pointer behind the #, as in "config#/device/eco_mode""#]
        ),
        (
            #""kind": "information", "read": { "from": "al" }"#,
            ["read.pointer: is missing", "read.from: must name one of the reads: all"]
        ),
    ])
    func settings(_ setting: String, _ faults: [String]) {
        #expect(
            httpFaults(#"\#(Self.read), "settings": { "x": { \#(setting) } }"#) == faults.map { "settings.x." + $0 })
    }

    @Test func aSecretOrADefaultNeedsNoRead() {
        let write = #""write": { "body": "{{value}}" }"#
        #expect(
            httpFaults(
                """
                "settings": { "a": { "kind": "text", "secret": true, \(write) }, "b": { "kind": "toggle", "default": true, \(write) } }
                """) == [])
    }
}
