import AccessorySettings
import Foundation
import Synchronization
import Testing

@testable import DeviceProviders
@testable import SettingsBridge

/// A configuration of `config/examples`, for a device at another address.
func httpExample(
    _ name: String, _ url: String, at address: String, environment: [String: String] = [:]
) throws -> BridgeConfiguration {
    let file = URL(filePath: #filePath).appending(path: "../../../../config/examples/\(name).json").standardized
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(text.contains(#""url": "\#(url)"#), "\(name)")
    return try BridgeConfiguration.parse(
        Array(text.replacing(url, with: address).utf8), file: file.path, environment: environment,
        factories: DeviceProviderFactories.all, accessoriesNeedProvider: true
    ).configuration
}

/// The examples against stand-ins that answer as the makers describe it.
@MainActor @Suite("Examples of devices over HTTP") struct HTTPExampleTests {
    /// A document that requests read and change.
    final class Document: Sendable {
        private let value: Mutex<JSONValue>

        init(_ text: String) throws { value = Mutex(try JSONValue.parse(Array(text.utf8))) }

        var json: JSONValue { value.withLock { $0 } }
        func at(_ pointer: String) -> JSONValue? { JSONPointer(pointer)?.value(in: json) }
        func merge(_ changes: JSONValue?) {
            guard let changes else { return }
            value.withLock { $0 = Self.merged($0, changes) }
        }

        private static func merged(_ old: JSONValue, _ new: JSONValue) -> JSONValue {
            guard case .object(var members) = old, case .object(let changes) = new else { return new }
            for (key, value) in changes { members[key] = members[key].map { merged($0, value) } ?? value }
            return .object(members)
        }
    }

    @Test func shelly() async throws {
        let sys = try Document(#"{"device":{"name":null,"eco_mode":false,"mac":"A8032AB12345"},"cfg_rev":10}"#)
        let sw = try Document(
            #"{"id":0,"name":null,"initial_state":"match_input","auto_on":false,"auto_off":true,"auto_off_delay":60.00,"power_limit":4480}"#
        )
        let device = try StandInServer { request in
            guard Self.isProved(request, user: "admin", password: "let me in") else {
                return .answer(
                    401,
                    fields: [
                        #"WWW-Authenticate: Digest qop="auth", realm="shellyplus1pm-a8032ab12345", nonce="60dc2c69", algorithm=SHA-256"#
                    ])
            }
            let config = request.json.flatMap { JSONPointer("/config")?.value(in: $0) }
            switch request.line {
            case "GET /rpc/Sys.GetConfig": return .json(sys.json)
            case "GET /rpc/Switch.GetConfig?id=0": return .json(sw.json)
            case "GET /rpc/Shelly.GetDeviceInfo":
                return .json(#"{"id":"shellyplus1pm-a8032ab12345","ver":"1.4.4","gen":2}"#)
            case "POST /rpc/Sys.SetConfig": sys.merge(config)
            case "POST /rpc/Switch.SetConfig":
                if case .integer(let limit)? = config.flatMap({ JSONPointer("/power_limit")?.value(in: $0) }),
                    limit > 3_000
                {
                    return .answer(500, #"{"code":-103,"message":"Argument 'config.power_limit' is out of range!"}"#)
                }
                sw.merge(config)
            default: return .answer(404, #"{"code":404,"message":"No handler for it"}"#)
            }
            return .json(#"{"restart_required":false}"#)
        }
        let accessory = try HTTPAccessory(
            httpExample(
                "shelly-gen2", "http://192.168.1.20", at: device.url, environment: ["SHELLY_PASSWORD": "let me in"]
            )
            .accessories[0])
        #expect(
            try await accessory.read() == [
                "eco": .toggle(false), "initial_state": .option("match_input"), "auto_off": .toggle(true),
                "auto_off_delay": .number(60), "power_limit": .number(4_480), "firmware": .text("1.4.4"),
            ])
        let before = device.requests.count
        try await accessory.write([
            "eco": .toggle(true), "name": .text("Kessel \"1\""), "auto_off_delay": .number(90),
            "initial_state": .option("on"),
        ])
        #expect(
            device.requests.dropFirst(before).filter { $0.method == "POST" }.map(\.text) == [
                #"{"config":{"device":{"eco_mode":true,"name":"Kessel \"1\""}}}"#,
                #"{"config":{"auto_off_delay":90,"initial_state":"on"},"id":0}"#,
            ])
        let values = try await accessory.read()
        #expect(values["name"] == .text("Kessel \"1\"") && values["auto_off_delay"] == .number(90))
        #expect(
            await accessory.writeFailure(["power_limit": .number(4_000)])
                == "POST \(device.url)/rpc/Switch.SetConfig (power_limit) failed: answered 500 Internal Server Error with "
                + #""{"code":-103,"message":"Argument 'config.power_limit' is out of range!"}""#)
    }

    /// Checks the proof as the device does.
    nonisolated private static func isProved(_ request: ReceivedRequest, user: String, password: String) -> Bool {
        guard let proof = request.field("Authorization").map(AuthenticationChallenge.parse)?.first,
            let library = OpenSSL.shared
        else { return false }
        let parts = proof.parameters
        func hash(_ text: String) -> String { library.hash(text, .sha256) ?? "" }
        let secret = hash("\(user):\(parts["realm"] ?? ""):\(password)")
        let wanted = hash(
            [
                secret, parts["nonce"] ?? "", parts["nc"] ?? "", parts["cnonce"] ?? "", "auth",
                hash("\(request.method):\(request.target)"),
            ].joined(separator: ":"))
        return parts["response"] == wanted && parts["uri"] == request.target && parts["username"] == user
    }

    @Test func tasmota() async throws {
        let values = Mutex([
            "PowerOnState": "3", "LedState": "1", "TelePeriod": "300", "SetOption0": #""ON""#,
            "FriendlyName1": #""Plug""#,
        ])
        let device = try StandInServer { request in
            let words = (request.query["cmnd"] ?? "").split(separator: " ", maxSplits: 1).map(String.init)
            if words == ["Status", "2"] { return .json(#"{"StatusFWR":{"Version":"14.2.0(release-tasmota)"}}"#) }
            guard request.path == "/cm", let name = words.first, values.withLock({ $0[name] }) != nil else {
                return .json(#"{"Command":"Unknown"}"#)
            }
            if words.count > 1 {
                let isText = Double(words[1]) == nil
                values.withLock {
                    $0[name] = isText ? String(decoding: JSONValue.string(words[1]).jsonBytes, as: UTF8.self) : words[1]
                }
            }
            return .json(#"{"\#(name)":\#(values.withLock { $0[name] } ?? "")}"#)
        }
        let accessory = try HTTPAccessory(httpExample("tasmota", "http://192.168.1.30", at: device.url).accessories[0])
        #expect(
            try await accessory.read() == [
                "power_on_state": .option("last"), "led_state": .option("power"), "tele_period": .number(300),
                "save_state": .toggle(true), "friendly_name": .text("Plug"),
                "firmware": .text("14.2.0(release-tasmota)"),
            ])
        try await accessory.write([
            "power_on_state": .option("off"), "tele_period": .number(60), "save_state": .toggle(false),
            "friendly_name": .text("Küche; Reset 1 & more"),
        ])
        #expect(
            values.withLock { $0 } == [
                "PowerOnState": "0", "LedState": "1", "TelePeriod": "60", "SetOption0": #""OFF""#,
                "FriendlyName1": #""Küche; Reset 1 & more""#,
            ])
        values.withLock { $0["LedState"] = nil }
        #expect(
            await accessory.readFailure()?.description
                == "GET \(device.url)/cm (led) failed: the answer has no /LedState, where led_state is read")
    }

    @Test func wled() async throws {
        let state = try Document(#"{"on":true,"bri":128,"transition":7,"nl":{"on":false,"dur":60,"mode":1,"tbri":0}}"#)
        let cfg = try Document(#"{"id":{"mdns":"wled-1","name":"WLED"},"def":{"ps":0,"on":true,"bri":128}}"#)
        let device = try StandInServer { request in
            switch request.line {
            case "GET /json/state": return .json(state.json)
            case "GET /json/cfg": return .json(cfg.json)
            case "GET /json/info": return .json(#"{"ver":"0.15.0","leds":{"count":30}}"#)
            case "POST /json/state": state.merge(request.json)
            case "POST /json/cfg": cfg.merge(request.json)
            default: return .answer(501, #"{"error":"Not Implemented"}"#)
            }
            return .json(#"{"success":true}"#)
        }
        let accessory = try HTTPAccessory(httpExample("wled", "http://192.168.1.40", at: device.url).accessories[0])
        #expect(
            try await accessory.read() == [
                "on": .toggle(true), "brightness": .number(128), "transition": .number(0.7),
                "nightlight": .toggle(false),
                "nightlight_duration": .number(60), "nightlight_mode": .option("fade"), "boot_on": .toggle(true),
                "boot_brightness": .number(128), "name": .text("WLED"), "version": .text("0.15.0"), "leds": .text("30"),
            ])
        let before = device.requests.count
        try await accessory.write([
            "brightness": .number(10), "transition": .number(1.5), "nightlight_mode": .option("sunrise"),
            "boot_brightness": .number(1), "nightlight": .toggle(true), "name": .text("Regal"),
        ])
        #expect(
            device.requests.dropFirst(before).filter { $0.method == "POST" }.map(\.text) == [
                #"{"bri":10,"nl":{"mode":3,"on":true},"transition":15}"#, #"{"def":{"bri":1},"id":{"name":"Regal"}}"#,
            ])
        #expect(state.at("/nl/dur") == .integer(60) && cfg.at("/def/on") == .bool(true))
        #expect(try await accessory.read()["transition"] == .number(1.5))
    }
}
