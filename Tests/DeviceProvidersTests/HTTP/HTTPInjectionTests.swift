import AccessorySettings
import Foundation
import Testing

@testable import DeviceProviders
@testable import SettingsBridge

/// A value never changes the shape of a request.
@MainActor @Suite("Values in HTTP requests") struct HTTPInjectionTests {
    nonisolated static let values = [
        #"" }, "admin": true, "x": ""#, "line\r\nHost: evil\r\n\r\nGET / HTTP/1.1", "a&b=c&admin=1", "100%", "%0d%0a",
        "$(reboot)", "`reboot`", "../../etc/passwd", "{{value}}", "{{token}}", "\0", "a\0b", "?x#y", "\\", "ü€😀", "",
        " ",
        "+", "<b>",
    ]

    private static let provider = """
        "secrets": { "token": "t0p-s3cret" },
        "reads": { "all": {} },
        "settings": {
          "body": { "kind": "text", "read": "all",
                    "write": { "path": "/body", "body": { "a": ["{{value}}"], "b": "{{token}}", "c": "x {{token}}" } } },
          "path": { "kind": "text", "read": "all", "write": { "path": "/p/{{value}}/end?q={{value}}&r=1" } },
          "query": { "kind": "text", "read": "all",
                     "write": { "path": "/q", "query": { "cmnd": "Name {{value}}", "t": "{{token}}" } } },
          "form": { "kind": "text", "read": "all", "write": { "path": "/f", "form": { "v": "{{value}}", "w": 1 } } } }
        """

    @Test(arguments: values.filter { !$0.isEmpty }) func staysWhereItsPlaceIs(_ value: String) async throws {
        let device = try StandInServer { _ in .json(#""x""#) }
        let accessory = try HTTPAccessory(device.url, Self.provider)
        try await accessory.write([
            "body": .text(value), "path": .text(value), "query": .text(value), "form": .text(value),
        ])
        let requests = device.requests
        try #require(requests.count == 5)
        #expect(
            requests[1].json
                == .object([
                    "a": .array([.string(value)]), "b": .string("t0p-s3cret"), "c": .string("x t0p-s3cret"),
                ]))
        let encoded = value.urlEncoded
        #expect(encoded.removingPercentEncoding == value)
        #expect(requests[2].target == "/p/\(encoded)/end?q=\(encoded)&r=1")
        #expect(requests[3].target == "/q?cmnd=Name%20\(encoded)&t=t0p-s3cret")
        #expect(requests[4].text == "v=\(encoded)&w=1")
        for request in requests { #expect(request.field("Host") == "127.0.0.1:\(device.port)") }
    }

    @Test func anEmptyValueIsNoSegmentOfAPath() async throws {
        let device = try StandInServer { _ in .json(#""x""#) }
        let accessory = try HTTPAccessory(device.url, Self.provider)
        #expect(
            await accessory.writeFailure(["path": .text("")])
                == "GET \(device.url)/p/{{value}}/end failed: an empty value can't stand alone between slashes of a path"
        )
        try await accessory.write(["body": .text(""), "query": .text(""), "form": .text("")])
        let requests = device.requests.filter { $0.target != "/" }
        #expect(requests.map(\.target) == ["/body", "/q?cmnd=Name%20&t=t0p-s3cret", "/f"])
        #expect(requests.last?.text == "v=&w=1")
    }

    @Test(arguments: [".", ".."]) func dotsAreNoSegmentOfAPath(_ value: String) async throws {
        let device = try StandInServer { _ in .json(#""x""#) }
        let accessory = try HTTPAccessory(device.url, Self.provider)
        #expect(
            await accessory.writeFailure(["path": .text(value)])
                == "GET \(device.url)/p/{{value}}/end failed: . and .. can't stand in a path")
        #expect(device.requests.count == 1)
    }

    @Test func secretsStayOutOfFaults() async throws {
        let device = try StandInServer { request in
            .answer(
                400, "you sent \(request.target) \(request.text) \(request.field("authorization") ?? "")",
                type: "text/plain")
        }
        let accessory = try HTTPAccessory(
            device.url,
            """
            "secrets": { "token": { "env": "TOKEN" } },
            "auth": { "type": "basic", "user": "admin", "password": { "env": "PASSWORD" } },
            "reads": { "all": { "path": "/api/{{token}}/x?k={{token}}", "query": { "t": "{{token}}" } } },
            "settings": { "x": { "kind": "information", "read": "all" } }
            """, environment: ["TOKEN": "a/b+c s3cret", "PASSWORD": "pa$$\\\"w"])
        let text = try #require(await accessory.readFailure()?.description)
        #expect(device.requests[0].target == "/api/a%2Fb%2Bc%20s3cret/x?k=a%2Fb%2Bc%20s3cret&t=a%2Fb%2Bc%20s3cret")
        #expect(
            text
                == "GET \(device.url)/api/{{token}}/x (all) failed: answered 400 Bad Request with "
                + #""you sent /api/<secret>/x?k=<secret>&t=<secret> Basic <secret>""#)
    }

    @Test("O10: a secret that was written is in no later sentence, however the device writes it")
    func writtenSecretsStayHidden() async throws {
        let device = try StandInServer { request in
            .answer(
                request.method == "GET" ? 400 : 200,
                #"k\u00e9y/1 k\u00E9y\/1 k%c3%a9y%2f1 k%C3%A9y%2F1 kéy/1, at first kéy"#, type: "text/plain")
        }
        let accessory = try HTTPAccessory(
            device.url,
            """
            "reads": { "all": { "path": "/all" } },
            "settings": {
              "x": { "kind": "information", "read": "all" },
              "key": { "kind": "text", "secret": true, "write": { "method": "PUT", "path": "/k", "body": "{{value}}" } } }
            """)
        let key = Setting(SettingDescriptor(id: "key", label: "", kind: .text(isSecret: true)), value: nil)
        for text in ["kéy", "kéy/1"] { try await accessory.write(["key": .text(text)], of: [key]) }
        #expect(
            await accessory.readFailure()?.description
                == "GET \(device.url)/all (all) failed: answered 400 Bad Request with "
                + #""<secret> <secret> <secret> <secret> <secret>, at first <secret>""#)
    }

    @Test("O10: the token of a session is in no sentence") func tokens() async throws {
        let device = try StandInServer { _ in
            .answer(409, "t0k-3n is wrong", type: "text/plain", fields: ["X-Session: t0k-3n"])
        }
        let accessory = try HTTPAccessory(device.url, #""session_header": "X-Session", "# + HTTPDeviceTests.simple)
        #expect(
            await accessory.readFailure()?.description
                == #"GET \#(device.url)/all (all) failed: answered 409 Conflict with "<secret> is wrong""#)
    }
}
