import AccessorySettings
import Foundation
import HomeKit
import Synchronization
import Testing

@testable import DeviceProviders
@testable import SettingsBridge

@Suite("Settings declared in the configuration") struct DeclaredSettingsTests {
    /// A kind of provider for tests: its device is in memory.
    struct MemoryFactory: ProviderFactory {
        let type = "memory"
        let device: MemoryDevice

        func makeSettings(
            from section: SectionReader, accessory: AccessoryConfiguration
        ) -> (@MainActor @Sendable () -> HomeAccessorySettings)? {
            let settings = readSettings(section) { _, setting in setting }
            let confirmation = Confirmation.read(section)
            let retry = Retry.read(section)
            guard !section.hasFaults else { return nil }
            let context = DeclaredDevice(
                settings: settings.map(\.setting), connection: device, confirmation: confirmation, retry: retry)
            return { HomeAccessorySettings(context: { context }, provider: { DeclaredProvider() }) }
        }
    }

    final class MemoryDevice: DeviceConnection {
        struct State {
            var values: [String: JSONValue] = [:]
            var writes: [[DeviceChange]] = []
            var failures: [DeviceError] = []
            /// What the next writes say, by setting.
            var refusals: [[String: DeviceError]] = []
            /// How many readings still give the old values after a write.
            var lag = 0
            var pending: [DeviceChange] = []
        }
        let state = Mutex(State())

        @concurrent func read() async throws -> [String: JSONValue] {
            try state.withLock { state in
                if !state.failures.isEmpty { throw state.failures.removeFirst() }
                if state.lag > 0 {
                    state.lag -= 1
                } else {
                    for change in state.pending { state.values[change.setting] = change.value }
                    state.pending = []
                }
                return state.values
            }
        }

        @concurrent func write(_ changes: [DeviceChange]) async throws -> [String: DeviceError] {
            try state.withLock { state in
                if !state.failures.isEmpty { throw state.failures.removeFirst() }
                state.writes.append(changes)
                let refused = state.refusals.isEmpty ? [:] : state.refusals.removeFirst()
                state.pending += changes.filter { refused[$0.setting] == nil }
                return refused
            }
        }
    }

    private let device = MemoryDevice()
    private let accessory = HMAccessory(name: "Lamp", uniqueIdentifier: UUID())

    private static let settings = """
        "power": { "kind": "toggle", "label": "Power", "on": "enabled", "off": "disabled", "on_label": "Lit" },
        "level": { "kind": "range", "min": 0, "max": 100, "step": 1, "unit": "%", "scale": 0.1, "integer": true },
        "mode": { "kind": "enumeration", "default": "warm",
                  "options": [{ "value": "warm", "label": "Warm", "code": 1 }, { "value": "cold", "code": 2 }] },
        "name": { "kind": "text", "placeholder": "Lamp", "max_length": 20, "enabled_when": { "setting": "power", "equals": true } },
        "key": { "kind": "text", "secret": true },
        "temp": { "kind": "information", "unit": "°C", "scale": 0.1, "offset": -10, "hidden_when": { "setting": "mode", "equals": "cold" } },
        "version": { "kind": "information", "home_assistant": { "icon": "mdi:chip", "enabled_by_default": false } }
        """

    private func parse(_ settings: String, more: String = "") throws(ConfigurationError) -> BridgeConfiguration {
        let text = """
            { "accessories": [{ "id": "lamp", "provider": { "type": "memory", \(more) "settings": { \(settings) } } }] }
            """
        return try BridgeConfiguration.parse(
            Array(text.utf8), file: "f", factories: [MemoryFactory(device: device)], accessoriesNeedProvider: true
        ).configuration
    }

    @MainActor private func source(more: String = "") throws -> any AccessorySettingsSource {
        let configuration = try parse(Self.settings, more: more)
        let makeSettings = try #require(configuration.accessories[0].makeSettings)
        return makeSettings().makeSource()
    }

    @Test func theDevicesValuesBecomeTheSettings() async throws {
        device.state.withLock {
            $0.values = [
                "power": .string("enabled"), "level": .integer(215), "mode": .integer(2), "name": .string("Desk"),
                "key": .string("s3cret"), "temp": .integer(315), "version": .number(1.5),
            ]
        }
        let settings = try await source().settings(for: accessory)
        #expect(settings.map(\.id) == ["power", "level", "mode", "name", "key", "temp", "version"])
        #expect(
            settings.map(\.value) == [
                .toggle(true), .number(22), .option("cold"), .text("Desk"), nil, .text("21.5"), .text("1.5"),
            ])
        #expect(settings.map(\.descriptor.isHidden) == [false, false, false, false, false, true, false])
        #expect(settings[3].descriptor.isEnabled)
        #expect(settings[6].descriptor.entity == EntityOptions(icon: "mdi:chip", isEnabledByDefault: false))
    }

    @Test func whatIsMissingIsUnreadableOrTheDefault() async throws {
        device.state.withLock { $0.values = ["power": .string("broken"), "level": .string("x")] }
        let settings = try await source().settings(for: accessory)
        #expect(settings.map(\.value) == [nil, nil, .option("warm"), nil, nil, nil, nil])
        #expect(!settings[3].descriptor.isEnabled, "power is not on")
    }

    @Test func changesBecomeTheDevicesValues() async throws {
        let source = try await source()
        let settings = try await source.settings(for: accessory)
        let changes = zip(settings, [.toggle(false), .number(21), .option("warm"), .text("{{x}}")] as [SettingValue])
            .map { Setting($0.descriptor, value: $1) }
        try await source.settingsDidChange(changes, for: accessory)
        #expect(
            device.state.withLock { $0.writes } == [
                [
                    DeviceChange(setting: "power", value: .string("disabled")),
                    DeviceChange(setting: "level", value: .integer(210)),
                    DeviceChange(setting: "mode", value: .integer(1)),
                    DeviceChange(setting: "name", value: .string("{{x}}")),
                ]
            ])
    }

    @Test func aConfirmedWriteReturnsWhenTheDeviceReportsIt() async throws {
        let source = try await source(more: #""confirm": { "within": "60s", "every": "10ms" },"#)
        let level = try await source.settings(for: accessory)[1]
        device.state.withLock { $0.lag = 3 }
        try await source.settingsDidChange([Setting(level.descriptor, value: .number(21))], for: accessory)
        #expect(device.state.withLock { $0.values["level"] } == .integer(210))
        #expect(try await source.settings(for: accessory)[1].value == .number(21))
    }

    @Test func aDeviceThatSettlesOnAnotherValueIsReportedWithBoth() async throws {
        let source = try await source(more: #""confirm": { "within": "50ms", "every": "10ms" },"#)
        let level = try await source.settings(for: accessory)[1]
        device.state.withLock {
            $0.values["level"] = .integer(100)
            $0.lag = 1_000
        }
        await #expect(
            throws: AccessorySettingsChangeError(["level": "it was sent, but after 50 ms the device reports 10"])
        ) {
            try await source.settingsDidChange([Setting(level.descriptor, value: .number(21))], for: accessory)
        }
    }

    private func changes(of settings: [Setting]) -> [Setting] {
        zip(settings, [.toggle(true), .number(21), .option("cold"), .text("Desk")] as [SettingValue])
            .map { Setting($0.descriptor, value: $1) }
    }

    @Test func eachSettingHasItsOwnOutcome() async throws {
        let source = try await source(more: #""confirm": { "within": "50ms", "every": "10ms" },"#)
        let settings = try await source.settings(for: accessory)
        device.state.withLock {
            $0.values["power"] = .string("disabled")
            $0.refusals = [["mode": DeviceError("it is jammed"), "power": DeviceError("the fuse is out")]]
        }
        await #expect(
            throws: AccessorySettingsChangeError(["mode": "it is jammed", "power": "the fuse is out"])
        ) { try await source.settingsDidChange(changes(of: settings), for: accessory) }
        let values = device.state.withLock { $0.values }
        #expect(values == ["power": .string("disabled"), "level": .integer(210), "name": .string("Desk")])
    }

    @Test func aDeviceThatCantBeWrittenAtAllFailsForAllSettings() async throws {
        let source = try await source()
        let settings = try await source.settings(for: accessory)
        device.state.withLock { $0.failures = [DeviceError("it is off")] }
        await #expect(
            throws: AccessorySettingsChangeError([
                "power": "it is off", "level": "it is off", "mode": "it is off", "name": "it is off",
            ])
        ) { try await source.settingsDidChange(changes(of: settings), for: accessory) }
    }

    @Test func onlyTheSettingsThatFailedAndMayPassAreWrittenAgain() async throws {
        let source = try await source(more: #""retries": 2,"#)
        let settings = try await source.settings(for: accessory)
        device.state.withLock {
            $0.refusals = [
                ["power": DeviceError("busy", mayPass: true), "mode": DeviceError("jammed")], [:],
            ]
        }
        await #expect(throws: AccessorySettingsChangeError(["mode": "jammed"])) {
            try await source.settingsDidChange(changes(of: settings), for: accessory)
        }
        #expect(
            device.state.withLock { $0.writes.map { $0.map(\.setting) } } == [
                ["power", "level", "mode", "name"], ["power"],
            ])
    }

    @Test func onlyWhatMayPassIsTriedAgain() async throws {
        let source = try await source(more: #""retries": 1,"#)
        device.state.withLock { $0.failures = [DeviceError("busy", mayPass: true)] }
        #expect(try await source.settings(for: accessory).count == 7)
        device.state.withLock { $0.failures = [DeviceError("forbidden"), DeviceError("never seen")] }
        await #expect(throws: DeviceError("forbidden")) { try await source.settings(for: accessory) }
    }

    @Test(arguments: [
        ("", ["lamp needs one"]),
        (#""x": { "label": "X" }"#, ["must be one of toggle, range, enumeration, text, information"]),
        (
            #""x": { "kind": "range", "min": 5, "max": 1, "step": 0, "scale": 0 }"#,
            ["must not be below 'min'", "must be above 0", "must not be 0"]
        ),
        (#""x": { "kind": "enumeration", "options": [] }"#, ["must list at least one option"]),
        (
            #""x": { "kind": "enumeration", "options": [{ "value": "a" }, { "value": "a" }], "default": "b" }"#,
            ["is the value of another option too", "must be one of the options' values: a, found b"]
        ),
        (
            #""x": { "kind": "toggle", "enabled_when": { "setting": "y", "equals": true } }"#,
            ["must be another setting of this accessory, but there is none, found 'y'"]
        ),
        (
            #""x": { "kind": "toggle", "hidden_when": { "setting": "x", "equals": true } }, "y": { "kind": "toggle" }"#,
            ["must be another setting of this accessory: y, found 'x'"]
        ),
        (
            #""x": { "kind": "range", "max": 4 }, "y": { "kind": "toggle", "hidden_when": { "setting": "x", "equals": 5 } }"#,
            ["must be a value of x: 4 or less"]
        ),
        (
            #""x": { "kind": "text", "secret": true }, "y": { "kind": "toggle", "hidden_when": { "setting": "x", "equals": "a" } }"#,
            ["must not be a secret, which is never read"]
        ),
        // What follows from a fault is none.
        (
            #""x": { "kind": "rang", "min": 1 }, "y": { "kind": "toggle", "hidden_when": { "setting": "x", "equals": 5 } }"#,
            ["must be one of toggle, range"]
        ),
        (#""x": { "kind": "information", "unit": 5, "scale": 2 }"#, ["must be a string, found a number"]),
        (#""x": { "kind": "range", "min": 9, "max": 4, "default": 5 }"#, ["must not be below 'min'"]),
        (#""x": { "kind": "range", "step": -1, "default": 5 }"#, ["must be above 0"]),
        (
            #""x": { "kind": "enumeration", "options": [{ "value": "a" }, { "valu": 1, "label": "B" }], "default": "b" }"#,
            ["is missing", "unknown key 'valu'; did you mean 'value'?"]
        ),
        (
            #""x": { "kind": "enumeration", "options": [{ "value": "a", "label": "A" }, { "value": "b", "label": "A" }] }"#,
            ["is the label of another option too"]
        ),
        (
            #""x": { "kind": "enumeration", "options": [{ "value": "1" }, { "value": "b", "code": 1 }] }"#,
            ["is the device's code of another option too"]
        ),
        // Defaults.
        (#""x": { "kind": "toggle", "default": 1 }"#, ["must be true or false, found a number"]),
        (
            #""x": { "kind": "range", "min": 1, "max": 3, "unit": "s", "default": 9 }"#,
            ["must be 1 to 3 s, found 9"]
        ),
        (
            #""x": { "kind": "range", "min": 5, "max": 30, "step": 0.5, "default": 20.25 }"#,
            ["must be 5 to 30 in steps of 0.5, found 20.25"]
        ),
        (#""x": { "kind": "range", "min": 5, "max": 30, "step": 0.5, "default": 5.25 }"#, ["must be 5 to 30"]),
        (
            #""x": { "kind": "range", "integer": true, "default": 2.5 }"#, ["must be a whole number, found 2.5"]
        ),
        (
            #""x": { "kind": "range", "integer": true, "max": 9, "default": 2.5 }"#,
            ["must be a whole number, 9 or less, found 2.5"]
        ),
        (#""x": { "kind": "range", "default": "1" }"#, ["must be a finite number, found a string"]),
        (
            #""x": { "kind": "text", "max_length": 3, "default": "abcd" }"#,
            ["must be a text of up to 3 characters, found 'abcd'"]
        ),
        (
            #""x": { "kind": "toggle" }, "y": { "kind": "toggle", "hidden_when": { "setting": "x", "equals": "on" } }"#,
            ["must be a value of x"]
        ),
        (#""x": { "kind": "toggle", "unit": "s" }"#, ["unknown key 'unit'"]),
    ])
    func eachMistakeIsOneFaultThatSaysWhatWouldBeRight(_ settings: String, _ sentences: [String]) {
        do {
            _ = try parse(settings)
            Issue.record("no fault in \(settings)")
        } catch {
            guard settings != "" else {
                #expect(error.faults.map(\.message) == ["must declare at least one setting"])
                return
            }
            for sentence in sentences {
                #expect(error.faults.contains { $0.message.contains(sentence) }, "\(sentence) in \(error.faults)")
            }
            #expect(error.faults.count == sentences.count, "\(error.faults)")
        }
    }
}
