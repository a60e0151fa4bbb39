import AccessorySettings
import HomeKit
import SettingsBridge

/// A device of the configuration: its settings, how to reach it, and what to do where it is slow to follow.
struct DeclaredDevice: HomeAccessorySettingsContext {
    var settings: [DeclaredSetting]
    var connection: any DeviceConnection
    var confirmation: Confirmation?
    var retry: Retry

    init(
        settings: [DeclaredSetting], connection: any DeviceConnection, confirmation: Confirmation? = nil,
        retry: Retry = Retry()
    ) {
        self.settings = settings
        self.connection = connection
        self.confirmation = confirmation
        self.retry = retry
    }
}

/// The provider behind every kind of device that a configuration describes.
struct DeclaredProvider: AccessorySettingsObserving {
    func settings(context: DeclaredDevice, for accessory: HMAccessory) async throws -> DeclaredContainer {
        let values = try await context.retry.run { try await context.connection.read() }
        return DeclaredContainer(context.settings.snapshot(of: values))
    }

    func settingsDidChange(
        changes: [String: Any], context: DeclaredDevice, for accessory: HMAccessory
    ) async throws {
        let asked = context.settings.compactMap { setting in
            changes[setting.id].flatMap { setting.value(of: $0) }.map { (setting, $0) }
        }
        let deviceChanges = asked.map { setting, value in
            DeviceChange(setting: setting.id, value: setting.mapping.device(value, of: setting))
        }
        guard !deviceChanges.isEmpty else { return }
        try await context.retry.run { try await context.connection.write(deviceChanges) }
        try await context.confirmation?.wait(for: asked, on: context)
    }

    func settingsChanges(context: DeclaredDevice, for accessory: HMAccessory) -> AsyncStream<Void> {
        // A stream that ends at once: the device can't tell.
        context.connection.changes() ?? AsyncStream { $0.finish() }
    }
}

struct DeclaredContainer: HomeAccessorySettingsContainer {
    let availableSettings: [any HomeAccessorySetting]

    init(_ settings: [Setting]) {
        availableSettings = settings.map { NeutralSetting(setting: $0) }
    }
}

/// A setting that is described in neutral terms to begin with.
private struct NeutralSetting: DescribableSetting {
    let setting: Setting
    var id: String { setting.id }
}

extension DeclaredSetting {
    /// What a change dictionary holds, by the kind of the setting.
    fileprivate func value(of change: Any) -> SettingValue? {
        switch descriptor.kind {
        case .toggle: (change as? Bool).map { .toggle($0) }
        case .range: (change as? Double).map { .number($0) }
        case .enumeration: (change as? String).map { .option($0) }
        case .text: (change as? String).map { .text($0) }
        case .information: nil
        }
    }
}
