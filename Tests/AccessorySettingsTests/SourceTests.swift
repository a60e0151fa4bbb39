import AccessorySettings
import Foundation
import HomeKit
import Testing

private struct Context: HomeAccessorySettingsContext {
    let name: String
}

private struct Container: HomeAccessorySettingsContainer {
    let availableSettings: [any HomeAccessorySetting]
}

/// A provider that shows what it was called with.
@MainActor private final class Recorder: HomeAccessorySettingsProvider {
    var received: [[String: Any]] = []
    var contexts: [String] = []
    var settings: [any HomeAccessorySetting] = []

    func settings(context: Context, for accessory: HMAccessory) async throws -> Container {
        contexts.append(context.name)
        return Container(availableSettings: settings)
    }

    func settingsDidChange(changes: [String: Any], context: Context, for accessory: HMAccessory) async throws {
        contexts.append(context.name)
        received.append(changes)
    }
}

@MainActor private final class Observing: AccessorySettingsObserving {
    func settings(context: Context, for accessory: HMAccessory) async throws -> Container {
        Container(availableSettings: [])
    }

    func settingsDidChange(changes: [String: Any], context: Context, for accessory: HMAccessory) async throws {}

    func settingsChanges(context: Context, for accessory: HMAccessory) -> AsyncStream<Void> {
        AsyncStream { continuation in
            for _ in accessory.name { continuation.yield() }
            continuation.finish()
        }
    }
}

/// The bridge's side of a provider.
@MainActor @Suite struct SourceTests {
    private let accessory = HMAccessory(name: "abc", uniqueIdentifier: UUID())
    private let recorder = Recorder()

    private func makeSource() -> any AccessorySettingsSource {
        HomeAccessorySettings {
            Context(name: "ctx")
        } provider: { [recorder] in
            recorder
        }.makeSource()
    }

    private func changes(_ kind: SettingKind, _ value: SettingValue?) async throws -> [String: Any] {
        let change = Setting(SettingDescriptor(id: "s", label: "S", kind: kind), value: value)
        try await makeSource().settingsDidChange([change], for: accessory)
        return try #require(recorder.received.last)
    }

    @Test("The context and provider closures run once for each source")
    func factories() async throws {
        var made: [String] = []
        let settings = HomeAccessorySettings {
            made.append("context")
            return Context(name: "\(made.count)")
        } provider: {
            made.append("provider")
            return Recorder()
        }
        #expect(made.isEmpty)
        let source = settings.makeSource()
        #expect(made.sorted() == ["context", "provider"])
        _ = try await source.settings(for: accessory)
        _ = try await source.settings(for: accessory)
        try await source.settingsDidChange([], for: accessory)
        #expect(made.count == 2)
        _ = settings.makeSource()
        #expect(made.count == 4)
    }

    @Test("A source is named after the provider's type and hands on its context")
    func context() async throws {
        let source = makeSource()
        #expect(source.name == "Recorder")
        _ = try await source.settings(for: accessory)
        try await source.settingsDidChange([], for: accessory)
        #expect(recorder.contexts == ["ctx", "ctx"])
    }

    @Test("Settings keep their order, and duplicates stay for the bridge to report")
    func order() async throws {
        recorder.settings = [
            HomeAccessoryToggleSetting(id: "b", label: "B"),
            HomeAccessoryInformationSetting(id: "a", label: "A"),
            HomeAccessoryTextFieldSetting(id: "b", label: "B"),
        ]
        #expect(try await makeSource().settings(for: accessory).map(\.id) == ["b", "a", "b"])
    }

    @Test("A toggle changes to a Bool")
    func toggle() async throws {
        let value = try await changes(.toggle(), .toggle(true))["s"]
        #expect(value is Bool)
        #expect(value as? Bool == true)
        #expect((value as? NSNumber)?.boolValue == true)
        #expect(try await changes(.toggle(), .toggle(false))["s"] as? Bool == false)
    }

    @Test("A range over an integer type changes to an integral number")
    func integers() async throws {
        let range = SettingKind.range(RangeDescriptor(isInteger: true))
        let value = try await changes(range, .number(7))["s"]
        #expect(value is NSNumber)
        #expect(value as? Int == 7)
        #expect(value as? UInt8 == 7)
        #expect(value as? Double == 7)
        #expect((value as? NSNumber)?.intValue == 7)
        #expect("\(try #require(value))" == "7")
        #expect(try await changes(range, .number(-4))["s"] as? Int == -4)
        #expect(try await changes(range, .number(0))["s"] as? Int == 0)
        #expect(try await changes(range, .number(1e19))["s"] as? UInt64 == 10_000_000_000_000_000_000)
        #expect(try await changes(range, .number(1e30))["s"] as? Double == 1e30)
    }

    @Test("A range over a floating-point type changes to a number with its fraction")
    func fractions() async throws {
        let range = SettingKind.range(RangeDescriptor(step: 0.5))
        let value = try await changes(range, .number(21.5))["s"]
        #expect(value is NSNumber)
        #expect(value as? Double == 21.5)
        #expect(value as? Int == nil)
        #expect((value as? NSNumber)?.doubleValue == 21.5)
        #expect(value as? Float == 21.5)
        let whole = try await changes(range, .number(21))["s"]
        #expect(whole as? Double == 21)
        #expect(whole as? Int == 21)
        #expect(whole as? NSNumber == 21)
    }

    @Test("An enumeration and a text change to a String")
    func strings() async throws {
        let options = SettingKind.enumeration([EnumerationOption(rawValue: "2", label: "Two")])
        #expect(try await changes(options, .option("2"))["s"] as? String == "2")
        #expect(try await changes(options, .option("2"))["s"] as? Int == nil)
        #expect(try await changes(.text(), .text(""))["s"] as? String == "")
    }

    @Test("Only changed settings appear, never an information, never one without a value")
    func content() async throws {
        #expect(try await changes(.information(), .text("x")).isEmpty)
        #expect(try await changes(.toggle(), nil).isEmpty)
        let toggle = SettingDescriptor(id: "t", label: "", kind: .toggle())
        let text = SettingDescriptor(id: "x", label: "", kind: .text())
        try await makeSource().settingsDidChange(
            [Setting(toggle, value: .toggle(true)), Setting(text, value: .text("y"))], for: accessory)
        #expect(recorder.received.last?.keys.sorted() == ["t", "x"])
    }

    @Test("Only a provider that observes announces changes")
    func observing() async throws {
        #expect(makeSource().settingsChanges(for: accessory) == nil)
        let source = HomeAccessorySettings(context: { Context(name: "") }, provider: { Observing() }).makeSource()
        let changes = try #require(source.settingsChanges(for: accessory))
        var count = 0
        for await _ in changes { count += 1 }
        #expect(count == 3)
    }

    @Test("A filter accepts every accessory unless given; it may belong to any actor")
    func filters() async {
        func settings(_ filter: @escaping HomeAccessoryConfiguration.SupportsAccessory) -> HomeAccessorySettings {
            HomeAccessorySettings(context: { Context(name: "") }, provider: { Recorder() }, filter: filter)
        }
        let all = HomeAccessorySettings(context: { Context(name: "") }, provider: { Recorder() })
        #expect(await all.accepts(accessory))
        #expect(await settings { $0.name == "abc" }.accepts(accessory))
        #expect(await !settings { @MainActor in $0.name == "other" }.accepts(accessory))
    }
}
