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

    /// Writes, and writes again what failed in a way that may pass.
    ///
    /// - Returns: why changes failed, by setting.
    /// - Throws: `CancellationError`.
    @concurrent fileprivate func write(_ changes: [DeviceChange]) async throws -> [String: DeviceError] {
        var failures = try await tryToWrite(changes)
        for pause in retry.pauses {
            let failed = changes.filter { failures[$0.setting]?.mayPass == true }
            guard !failed.isEmpty else { break }
            try await Task.sleep(for: pause)
            let again = try await tryToWrite(failed)
            for change in failed { failures[change.setting] = again[change.setting] }
        }
        return failures
    }

    @concurrent private func tryToWrite(_ changes: [DeviceChange]) async throws -> [String: DeviceError] {
        do {
            return try await connection.write(changes)
        } catch let error as CancellationError {
            throw error
        } catch {
            let failure = error as? DeviceError ?? DeviceError(sentence(for: error))
            return Dictionary(changes.map { ($0.setting, failure) }) { first, _ in first }
        }
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
        var failures = try await context.write(deviceChanges)
        let written = asked.filter { failures[$0.0.id] == nil }
        if let confirmation = context.confirmation {
            failures.merge(try await confirmation.unconfirmed(of: written, on: context)) { $1 }
        }
        guard failures.isEmpty else { throw AccessorySettingsChangeError(failures.mapValues(\.description)) }
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
