import AccessorySettings
import Foundation
import Synchronization
import Testing

@testable import DeviceProviders
@testable import SettingsBridge

@MainActor @Suite("Devices over HTTP") struct HTTPDeviceTests {
    /// Two reads, one of them for two settings.
    private static let provider = """
        "reads": { "config": { "path": "/rpc/Sys.GetConfig" },
                   "list": { "method": "POST", "path": "/list?all=1", "query": { "page": 2, "q": "a&b" },
                             "headers": { "X-Kind": "list" }, "body": { "n": null, "of": [1, 2.5, "x"] } } },
        "settings": {
          "eco": { "kind": "toggle", "read": "config#/device/eco_mode",
                   "write": { "method": "POST", "path": "/rpc/Sys.SetConfig",
                              "body": { "config": { "device": { "eco_mode": "{{value}}" } } } } },
          "name": { "kind": "text", "read": { "from": "config", "pointer": "/device/a~1b~0c" },
                    "write": { "path": "/name/{{value}}/x", "query": { "n": "<{{value}}>" } } },
          "second": { "kind": "information", "read": "list#/items/1" } }
        """

    private func standIn() throws -> StandInServer {
        try StandInServer { request in
            switch request.path {
            case "/rpc/Sys.GetConfig": .json(#"{"device":{"eco_mode":true,"a/b~c":"Desk"}}"#)
            case "/list": .json(#"{"items":["zero","one"]}"#)
            default: .json("null")
            }
        }
    }

    @Test func eachReadIsFetchedOnceForASnapshot() async throws {
        let device = try standIn()
        let accessory = try HTTPAccessory(device.url, Self.provider)
        #expect(
            try await accessory.read() == ["eco": .toggle(true), "name": .text("Desk"), "second": .text("one")])
        #expect(
            device.requests.map(\.line) == ["GET /rpc/Sys.GetConfig", "POST /list?all=1&page=2&q=a%26b"])
        let list = device.requests[1]
        #expect(list.field("X-Kind") == "list")
        #expect(list.field("Content-Type") == "application/json")
        #expect(list.text == #"{"n":null,"of":[1,2.5,"x"]}"#)
        #expect(list.field("Host") == "127.0.0.1:\(device.port)")
        #expect(device.requests[0].body.isEmpty)
    }

    @Test func oneConnectionServesAllRequests() async throws {
        let device = try standIn()
        let accessory = try HTTPAccessory(device.url, Self.provider)
        for _ in 0..<3 { _ = try await accessory.read() }
        #expect(device.requests.map(\.connection) == Array(repeating: 1, count: 6))
    }

    @Test func aConnectionThatTheDeviceClosedIsReplaced() async throws {
        let device = try StandInServer { _ in
            Reply(parts: [Array("HTTP/1.1 200\r\nContent-Length: 1\r\n\r\n1".utf8)], end: .close)
        }
        let accessory = try HTTPAccessory(device.url, HTTPDeviceTests.simple)
        for _ in 0..<3 { #expect(try await accessory.read() == ["level": .number(1)]) }
        #expect(device.connections == 3)
    }

    @Test func onAConnectionThatClosesOnlyAReadingIsRepeated() async throws {
        let count = Mutex(0)
        let device = try StandInServer { request in
            let number = count.withLock { count in
                count += 1
                return count
            }
            // The second request, and the change, which comes over a kept connection too.
            return number == 2 || request.method == "PUT" ? .close : .json("1")
        }
        let accessory = try HTTPAccessory(device.url, Self.simple)
        for _ in 0..<2 { #expect(try await accessory.read() == ["level": .number(1)]) }
        #expect(device.requests.map(\.connection) == [1, 1, 2])
        #expect(
            await accessory.writeFailure(["level": .number(2)])
                == "PUT \(device.url)/level (level) failed: the device closed the connection without an answer")
        let changes = device.requests.filter { $0.method == "PUT" }
        #expect(changes.map(\.connection) == [2], "once, over the connection that was kept")
    }

    @Test func valuesGoToTheirPlacesByPosition() async throws {
        let device = try standIn()
        let accessory = try HTTPAccessory(device.url, Self.provider)
        try await accessory.write(["eco": .toggle(false), "name": .text("a b/ü")])
        let writes = device.requests.dropFirst(2)
        #expect(writes.map(\.line) == ["POST /rpc/Sys.SetConfig", "GET /name/a%20b%2F%C3%BC/x?n=%3Ca%20b%2F%C3%BC%3E"])
        #expect(writes.first?.text == #"{"config":{"device":{"eco_mode":false}}}"#)
    }

    /// A range that is the whole answer.
    static let simple = """
        "reads": { "all": { "path": "/all" } },
        "settings": { "level": { "kind": "range", "min": 0, "max": 10, "step": 1, "read": "all",
                                 "write": { "method": "PUT", "path": "/level", "body": "{{value}}" } } }
        """

    @Test func aNumberIsANumberInTheBody() async throws {
        let device = try StandInServer { _ in .json("3") }
        let accessory = try HTTPAccessory(device.url, Self.simple)
        try await accessory.write(["level": .number(7)])
        #expect(device.requests.map { "\($0.line) \($0.text)" } == ["GET /all ", "PUT /level 7"])
    }

    @Test func onlyOneRequestIsOnItsWayAtATime() async throws {
        let device = try StandInServer { _ in
            Reply(parts: [Array("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n1".utf8)], pause: .milliseconds(20))
        }
        // Two accessories that are parts of one device.
        let configuration = try BridgeConfiguration.parse(
            Array(
                """
                { "accessories": [
                  { "id": "a", "provider": { "type": "http", "url": "\(device.url)", \(Self.simple) } },
                  { "id": "b", "provider": { "type": "http", "url": "\(device.url)/", \(Self.simple) } } ] }
                """.utf8), file: "f", factories: DeviceProviderFactories.all
        ).configuration
        let one = try HTTPAccessory(configuration.accessories[0])
        let other = try HTTPAccessory(configuration.accessories[1])
        async let first = one.read()
        async let second = other.read()
        async let third = one.read()
        #expect(try await [first, second, third] == Array(repeating: ["level": .number(1)], count: 3))
        #expect(device.requests.count == 3)
        #expect(device.mostAtOnce == 1)
    }

    @Test func changesThatGoToTheSamePlaceBecomeOneRequest() async throws {
        let device = try StandInServer { request in
            request.method == "GET" ? .json(#"{"a":1,"b":"x","c":true}"#) : .json("{}")
        }
        func settings(_ together: Bool) -> String {
            """
            "write_together": \(together), "reads": { "s": { "path": "/s" } },
            "settings": {
              "a": { "kind": "range", "read": "s#/a",
                     "write": { "method": "POST", "path": "/s", "body": { "method": "set", "arguments": { "a": "{{value}}" } } } },
              "other": { "kind": "text", "read": "s#/b",
                         "write": { "method": "PUT", "path": "/other", "body": { "b": "{{value}}" } } },
              "c": { "kind": "toggle", "read": "s#/c",
                     "write": { "method": "POST", "path": "/s", "body": { "method": "set", "arguments": { "c": "{{value}}" } } } },
              "id": { "kind": "toggle", "read": "s#/c",
                      "write": { "method": "POST", "path": "/s", "body": { "method": "other", "arguments": { "c": "{{value}}" } } } } }
            """
        }
        let changes: KeyValuePairs<String, SettingValue> = [
            "a": .number(5), "other": .text("y"), "c": .toggle(false), "id": .toggle(false),
        ]
        try await HTTPAccessory(device.url, settings(true)).write(changes)
        #expect(
            device.requests.filter { $0.method != "GET" }.map(\.text) == [
                #"{"arguments":{"a":5,"c":false},"method":"set"}"#, #"{"b":"y"}"#,
                #"{"arguments":{"c":false},"method":"other"}"#,
            ])
        try await HTTPAccessory(device.url, settings(false)).write(changes)
        #expect(device.requests.filter { $0.method != "GET" }.count == 3 + 4)
    }

    @Test func queriesAndFormsAreJoinedToo() async throws {
        let device = try StandInServer { _ in .json("1") }
        let accessory = try HTTPAccessory(
            device.url,
            """
            "write_together": true, "reads": { "s": {} },
            "settings": {
              "a": { "kind": "range", "read": "s", "write": { "path": "/q?x=1", "query": { "a": "{{value}}" } } },
              "b": { "kind": "range", "read": "s", "write": { "path": "/q?x=1", "query": { "b": "{{value}}" } } },
              "c": { "kind": "text", "read": "s", "write": { "path": "/f", "form": { "c": "{{value}}", "go": true } } },
              "d": { "kind": "text", "read": "s", "write": { "path": "/f", "form": { "d": "{{value}}", "go": true } } } }
            """)
        try await accessory.write(["a": .number(1), "b": .number(2), "c": .text("x&y=z"), "d": .text("ä b")])
        let writes = device.requests.dropFirst()
        #expect(writes.map(\.line) == ["GET /q?x=1&a=1&b=2", "POST /f"])
        #expect(writes.last?.text == "c=x%26y%3Dz&go=true&d=%C3%A4%20b")
        #expect(writes.last?.field("Content-Type") == "application/x-www-form-urlencoded")
    }
}
