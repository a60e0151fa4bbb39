import AccessorySettings
import Foundation
import TestSupport
import Testing

@testable import DeviceProviders
@testable import SettingsBridge

@MainActor @Suite("Devices over HTTP that fail") struct HTTPFailureTests {
    private static let simple = HTTPDeviceTests.simple

    /// The reason with which reading the answer fails, behind "GET …/all (all) failed: ".
    private func reason(_ more: String = "", _ reply: @escaping @Sendable (ReceivedRequest) -> Reply) async throws
        -> String?
    {
        let device = try StandInServer(reply)
        let failure = try await HTTPAccessory(device.url, more + Self.simple).readFailure()
        let start = "GET \(device.url)/all (all) failed: "
        let text = try #require(failure?.description)
        #expect(text.hasPrefix(start), "\(text)")
        return String(text.dropFirst(start.count))
    }

    @Test(arguments: [
        (
            404, #"{"code":-1,"message":"No such thing"}"#, "application/json",
            #"answered 404 Not Found with "{"code":-1,"message":"No such thing"}""#, false
        ),
        (500, "boom\n\n at line 3", "text/plain", #"answered 500 Internal Server Error with "boom at line 3""#, true),
        (501, "", "text/plain", "answered 501 Not Implemented with an empty body", false),
        (505, "", "text/plain", "answered 505 with an empty body", false),
        (507, "", "text/plain", "answered 507 with an empty body", true),
        (429, "", "text/plain", "answered 429 Too Many Requests with an empty body", true),
        (503, "", "text/plain", "answered 503 Service Unavailable with an empty body", true),
        (403, "<html><body>Forbidden</body></html>", "text/html", "answered 403 Forbidden with an HTML page", false),
        (200, "<!DOCTYPE html><p>Log in", "text/plain", "the answer is an HTML page, not JSON", false),
        (401, "", "text/plain", "answered 401 Unauthorized: the device needs authentication ('auth')", false),
        (
            204, "", "application/json",
            "the answer is not JSON; the device sent an empty body", false
        ),
    ])
    func refusals(_ status: Int, _ body: String, _ type: String, _ sentence: String, _ mayPass: Bool) async throws {
        let device = try StandInServer { _ in .answer(status, body, type: type) }
        let failure = try await HTTPAccessory(device.url, Self.simple).readFailure()
        #expect(failure == DeviceError("GET \(device.url)/all (all) failed: \(sentence)", mayPass: mayPass))
    }

    @Test func aRefusedConnectionIsNamed() async throws {
        let closed = try ClosedPort()
        let failure = try await HTTPAccessory(closed.url, Self.simple).readFailure()
        #expect(
            failure
                == DeviceError(
                    "GET \(closed.url)/all (all) failed: the device can't be reached: Connection refused",
                    mayPass: true))
    }

    @Test func anUnknownHostIsNamed() async throws {
        let failure = try await HTTPAccessory("http://nowhere.invalid", Self.simple).readFailure()
        #expect(failure?.description.contains("the host's address can't be found: ") == true)
        #expect(failure?.mayPass == true)
    }

    @Test func aSilentDeviceIsGivenUp() async throws {
        #expect(try await reason(#""timeout": "100ms","#) { _ in .silence } == "no answer within 100 ms")
        // A header, and then nothing.
        let half = Reply.raw("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{", end: .hang)
        #expect(try await reason(#""timeout": "100ms","#) { _ in half } == "no answer within 100 ms")
    }

    @Test func aDeviceThatDripsIsGivenUpToo() async throws {
        let drip = Reply(
            parts: Array("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n".utf8).map { [$0] }, pause: .milliseconds(10))
        #expect(try await reason(#""timeout": "200ms","#) { _ in drip } == "no answer within 200 ms")
    }

    @Test func withoutATimeoutOfItsOwnTheAccessorysCounts() async throws {
        let device = try StandInServer { _ in .silence }
        let failure = try await HTTPAccessory(device.url, Self.simple, timeout: "200ms").readFailure()
        #expect(failure?.description == "GET \(device.url)/all (all) failed: no answer within 180 ms")
    }

    @Test func halfAnswersAreNamed() async throws {
        #expect(try await reason { _ in .close } == "the device closed the connection without an answer")
        #expect(
            try await reason { _ in .raw("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{", end: .close) }
                == "the device closed the connection in the middle of its answer, after 40 bytes")
        #expect(
            try await reason { _ in .raw("SSH-2.0-x\r\n", end: .close) }
                == "the answer is no HTTP: it begins with \"SSH-2.0-x\"")
    }

    @Test func largeAnswersAreRefused() async throws {
        let sentence = "the answer is larger than the limit of 10000000 bytes"
        let body = [UInt8](repeating: UInt8(ascii: " "), count: 10_000_001)
        let announced = Reply(parts: [Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n".utf8), body])
        #expect(try await reason { _ in announced } == sentence)
        let endless = Reply(parts: [Array("HTTP/1.1 200 OK\r\n\r\n".utf8), body], end: .close)
        #expect(try await reason { _ in endless } == sentence)
        #expect(
            try await reason(#""limit": 1000,"#) { _ in .json(String(repeating: " ", count: 1001)) }
                == "the answer is larger than the limit of 1000 bytes")
        let device = try StandInServer { _ in .json(String(repeating: " ", count: 999) + "1") }
        #expect(try await HTTPAccessory(device.url, #""limit": 1000,"# + Self.simple).read() == ["level": .number(1)])
    }

    @Test func redirectsAreFollowedOnTheDeviceOnly() async throws {
        let other = try StandInServer { _ in .json("1") }
        let home = try StandInServer { request in
            switch request.target {
            case "/all": .answer(302, fields: ["Location: next?x=1"])
            case "/next?x=1": .answer(307, fields: ["Location: /last"])
            default: .json("4")
            }
        }
        #expect(try await HTTPAccessory(home.url, Self.simple).read() == ["level": .number(4)])
        #expect(
            try await reason { _ in .answer(302, fields: ["Location: \(other.url)/all?secret=1"]) }
                == "answered 302 Found: a redirect to \(other.url), which is not followed")
        #expect(other.requests.isEmpty)
        #expect(try await reason { _ in .answer(301, fields: ["Location: /all"]) } == "redirected more than 5 times")
        #expect(try await reason { _ in .answer(301) } == "answered 301 Moved Permanently: a redirect to nowhere")
        for odd in ["http:foo", "://", "//", "///a b", "mailto:x@y", "http://[::1/", "/%00%ff", "file:///etc/passwd"] {
            #expect(try await reason { _ in .answer(302, fields: ["Location: \(odd)"]) } != nil, "\(odd)")
        }
    }

    @Test func aChangeIsNotRedirectedIntoAReading() async throws {
        let device = try StandInServer { request in
            request.line == "PUT /level" ? .answer(302, fields: ["Location: /there"]) : .json("1")
        }
        #expect(
            try await HTTPAccessory(device.url, Self.simple).writeFailure(["level": .number(2)])
                == "PUT \(device.url)/level (level) failed: answered 302 Found: a redirect to /there, which would make a "
                + "reading of the change")
    }

    @Test func missingAndWrongValuesAreNamed() async throws {
        func provider(_ setting: String) -> String {
            #""reads": { "all": { "path": "/all" } }, "settings": { "x": { \#(setting) } }"#
        }
        let device = try StandInServer { _ in .json(#"{"a":{"b":"warm"},"n":null}"#) }
        func failure(_ setting: String) async throws -> String? {
            try await HTTPAccessory(device.url, provider(setting)).readFailure()?.description
        }
        let start = "GET \(device.url)/all (all) failed: "
        let write = #""write": { "query": { "x": "{{value}}" } }"#
        #expect(
            try await failure(#""kind": "range", "read": "all#/a/c", \#(write)"#)
                == start + "the answer has no /a/c, where x is read")
        #expect(
            try await failure(#""kind": "range", "read": "all#/a/b", \#(write)"#)
                == start + #"/a/b is "warm", no value of x"#)
        #expect(
            try await failure(#""kind": "text", "read": "all#/a", \#(write)"#)
                == start + "/a is an object, no value of x")
        for readable in [
            #""kind": "range", "read": "all#/a/c", "optional": true, \#(write)"#,
            #""kind": "range", "read": "all#/a/b", "optional": true, \#(write)"#,
            #""kind": "range", "read": "all#/n", \#(write)"#,
        ] {
            #expect(try await HTTPAccessory(device.url, provider(readable)).read() == [:])
        }
        let withDefault = provider(#""kind": "range", "read": "all#/a/c", "default": 3, \#(write)"#)
        #expect(try await HTTPAccessory(device.url, withDefault).read() == ["x": .number(3)])
    }

    @Test func anAnswerThatSaysNoIsAFailure() async throws {
        let device = try StandInServer { request in
            request.method == "GET" ? .json(#"{"ok":true,"v":1}"#) : .json(#"{"result":"no, s3cret"}"#)
        }
        let accessory = try HTTPAccessory(
            device.url,
            """
            "reads": { "s": { "expect": { "pointer": "/ok", "equals": true } } },
            "settings": {
              "a": { "kind": "range", "read": "s#/v",
                     "write": { "path": "/a", "body": "{{value}}", "expect": { "pointer": "/result", "equals": "success" } } },
              "b": { "kind": "range", "read": "s#/v", "write": { "path": "/b", "body": "{{value}}" } },
              "k": { "kind": "text", "secret": true,
                     "write": { "path": "/k", "body": "{{value}}", "expect": { "pointer": "/result", "equals": "success" } } } }
            """)
        // What the device refuses of one setting keeps no other from being written.
        #expect(
            try await failedSettings { try await accessory.write(["a": .number(2), "b": .number(3)]) } == [
                "a": #"POST \#(device.url)/a (a) failed: the answer says "no, s3cret" at /result, not "success""#
            ])
        #expect(device.requests.last?.path == "/b")
        #expect(
            await accessory.writeFailure(["k": .text("s3cret")])
                == #"POST \#(device.url)/k (k) failed: the answer says "no, <secret>" at /result, not "success""#)
    }

    @Test func aDeviceThatDoesNotAnswerIsNotSentTheRest() async throws {
        let device = try StandInServer { request in
            switch (request.method, request.path) {
            case ("GET", _): .json("1")
            case (_, "/a"): .close
            default: .json("{}")
            }
        }
        let accessory = try HTTPAccessory(
            device.url,
            """
            "reads": { "s": {} },
            "settings": {
              "a": { "kind": "range", "read": "s", "write": { "path": "/a", "body": "{{value}}" } },
              "p": { "kind": "text", "secret": true, "write": { "path": "/p/{{value}}" } },
              "b": { "kind": "range", "read": "s", "write": { "path": "/b", "body": "{{value}}" } } }
            """)
        #expect(
            try await failedSettings {
                try await accessory.write(["a": .number(2), "p": .text(".."), "b": .number(3)])
            } == [
                "a": "POST \(device.url)/a (a) failed: the device closed the connection without an answer",
                "p": "GET \(device.url)/p/{{value}} failed: . and .. can't stand in a path",
                "b": "it was not sent, because a failed",
            ])
        #expect(!device.requests.contains { $0.path == "/b" })
    }

    @Test func cancellationEndsARequestAndAWait() async throws {
        let device = try StandInServer { _ in .silence }
        let accessory = try HTTPAccessory(device.url, #""timeout": "10m","# + Self.simple)
        let running = Task { try await accessory.read() }
        try await waitUntil("the request to arrive") { !device.requests.isEmpty }
        let waiting = Task { try await accessory.read() }
        running.cancel()
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await running.value }
        await #expect(throws: CancellationError.self) { try await waiting.value }
        try await waitUntil("the connection to be closed") { device.closedByPeer == 1 }
        // The line is free again.
        let next = Task { try await accessory.read() }
        try await waitUntil("the next request to arrive") { device.requests.count == 2 }
        next.cancel()
        await #expect(throws: CancellationError.self) { try await next.value }
    }

    @Test func theDeadDontDelayTheLiving() async throws {
        let silent = try (0..<25).map { _ in try StandInServer { _ in .silence } }
        let closed = try (0..<25).map { _ in try ClosedPort() }
        let living = try (0..<50).map { _ in try StandInServer { _ in .json("1") } }
        func failure(_ url: String) throws -> Task<DeviceError?, Never> {
            let accessory = try HTTPAccessory(url, #""timeout": "10m","# + Self.simple)
            return Task { await accessory.readFailure() }
        }
        // Silent ones wait as good as for ever: had the living to wait for them, this would not end.
        let waiting = try silent.map { try failure($0.url) }
        let refused = try closed.map { try failure($0.url) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for device in living {
                let accessory = try HTTPAccessory(device.url, Self.simple)
                group.addTask {
                    let values = try await accessory.read()
                    #expect(values == ["level": .number(1)])
                }
            }
            try await group.waitForAll()
        }
        for task in refused { #expect(await task.value?.description.contains("Connection refused") == true) }
        try await waitUntil("all silent devices to be asked") { silent.allSatisfy { $0.requests.count == 1 } }
        for task in waiting { task.cancel() }
        for task in waiting { #expect(await task.value?.description == "CancellationError()") }
        withExtendedLifetime(closed) {}
    }
}
