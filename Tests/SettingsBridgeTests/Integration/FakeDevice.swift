import AccessorySettings
import Foundation
import HomeKit

@testable import SettingsBridge

/// A device under the test's control: the fixture of the fault reports.
@MainActor final class FakeDevice {
    struct Refused: Error, CustomStringConvertible {
        var description: String
    }

    struct Write: Sendable {
        /// Setting and value, as the provider got them.
        var changes: [String: String]
        /// Of numbers, whether a cast to `Int` succeeds.
        var isInteger: [String: Bool] = [:]
    }

    var power: Bool? = false
    var target: Double? = 21
    var interval: Int? = 900
    var gain: Double? = 0.5
    var mode: FakeMode? = .heat
    var displayText: String? = ""
    var current: String? = "20.5"

    /// The device log: every write that it got.
    private(set) var writes: [Write] = []
    private(set) var reads = 0
    /// How long a write takes; and a read.
    var writeDelay = Duration.zero
    var readDelay = Duration.zero
    var refusal: String?
    var readingFailure: String?
    var isEnabled = true
    var isHidden = false
    var lacksText = false
    /// Calls that hang until they are let go.
    private var held: [CheckedContinuation<Void, Never>] = []
    var holdsWrites = false
    var hasHeldCall: Bool { !held.isEmpty }

    func letGo() {
        holdsWrites = false
        for continuation in held { continuation.resume() }
        held = []
    }

    fileprivate func willRead() async throws {
        reads += 1
        if readDelay > .zero { try await Task.sleep(for: readDelay) }
        if let readingFailure { throw Refused(description: readingFailure) }
    }

    fileprivate func write(_ changes: [String: Any]) async throws {
        var write = Write(changes: [:])
        for (id, value) in changes {
            if let number = value as? NSNumber, !(value is Bool) {
                write.changes[id] = NumberText.text(number.doubleValue)
                write.isInteger[id] = value is Int
            } else {
                write.changes[id] = "\(value)"
            }
        }
        writes.append(write)
        if holdsWrites { await withCheckedContinuation { held.append($0) } }
        if writeDelay > .zero { try await Task.sleep(for: writeDelay) }
        if let refusal { throw Refused(description: refusal) }
        if let power = changes["power"] as? Bool { self.power = power }
        if let target = changes["target"] as? Double { self.target = target }
        if let interval = changes["interval"] as? Int { self.interval = interval }
        if let gain = changes["gain"] as? Double { self.gain = gain }
        if let mode = (changes["mode"] as? String).flatMap(FakeMode.init) { self.mode = mode }
        if let text = changes["display_text"] as? String { displayText = text }
    }

    /// Each element asks the bridge to read.
    nonisolated let changes: AsyncStream<Void>
    private nonisolated let changed: AsyncStream<Void>.Continuation

    nonisolated init() {
        (changes, changed) = AsyncStream.makeStream()
    }

    /// Changes something without being asked to, and says so.
    func changeByItself(_ change: @MainActor @Sendable (FakeDevice) -> Void) {
        change(self)
        changed.yield()
    }

    nonisolated var settings: @MainActor @Sendable () -> HomeAccessorySettings {
        { HomeAccessorySettings(context: { FakeContext(device: self) }, provider: { FakeProvider() }) }
    }
}

enum FakeMode: String, HomeAccessoryEnumSettingConstant {
    case heat, cool, auto

    var value: HomeAccessorySettingLabel {
        switch self {
        case .heat: "Heating"
        case .cool: "Cooling"
        case .auto: "Automatic"
        }
    }
}

struct FakeContext: HomeAccessorySettingsContext {
    let device: FakeDevice
    /// Lives as long as the context.
    var token: (any AnyObject & Sendable)?
}

/// Tells when the device changed by itself.
struct FakeProvider: AccessorySettingsObserving {
    func settingsChanges(context: FakeContext, for accessory: HMAccessory) -> AsyncStream<Void> {
        context.device.changes
    }

    func settings(context: FakeContext, for accessory: HMAccessory) async throws -> FakeSettings {
        try await context.device.willRead()
        return FakeSettings(context.device)
    }

    func settingsDidChange(changes: [String: Any], context: FakeContext, for accessory: HMAccessory) async throws {
        try await context.device.write(changes)
    }
}

struct FakeSettings: HomeAccessorySettingsContainer {
    @HomeAccessoryToggleSetting(id: "power", label: "Power") var power: Bool?
    @HomeAccessoryRangeSetting(id: "target", label: "Target temperature", range: 5...30, step: 0.5, unit: "°C")
    var target: Double?
    @HomeAccessoryRangeSetting(id: "interval", label: "Interval", range: 10...3_600, step: 10, unit: "s")
    var interval: Int?
    @HomeAccessoryRangeSetting(id: "gain", label: "Gain", range: 0...1, step: 0.1) var gain: Double?
    @HomeAccessoryEnumSetting(id: "mode", label: "Mode") var mode: FakeMode?
    @HomeAccessoryTextFieldSetting(id: "display_text", label: "Display text") var displayText: String?
    @HomeAccessoryInformationSetting(id: "current", label: "Current temperature") var current: String?
    private let lacksText: Bool

    init(_ device: FakeDevice) {
        lacksText = device.lacksText
        power = device.power
        target = device.target
        interval = device.interval
        gain = device.gain
        mode = device.mode
        displayText = device.displayText
        current = device.current
        $mode.isEnabled = device.isEnabled
        $gain.isHidden = device.isHidden
    }

    var availableSettings: [any HomeAccessorySetting] {
        let all: [any HomeAccessorySetting] = [$power, $target, $interval, $gain, $mode, $displayText, $current]
        return lacksText ? all.filter { $0.id != "display_text" } : all
    }
}
