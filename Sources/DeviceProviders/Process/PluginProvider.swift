import AccessorySettings
import HomeKit
import SettingsBridge

/// The device behind a plug-in.
struct PluginDevice: HomeAccessorySettingsContext {
    /// Held by the context alone.
    private let lease: PluginLease
    /// As the configuration declares them; `nil` where the plug-in lists them itself.
    var settings: [DeclaredSetting]?
    var confirmation: Confirmation?
    var retry: Retry

    fileprivate var plugin: Plugin { lease.plugin }

    init(plugin: Plugin, settings: [DeclaredSetting]?, confirmation: Confirmation?, retry: Retry) {
        lease = PluginLease(plugin: plugin)
        (self.settings, self.confirmation, self.retry) = (settings, confirmation, retry)
    }

    /// The device with the settings that it has now.
    @concurrent fileprivate func described() async throws -> DeclaredDevice {
        let described: [DeclaredSetting] =
            if let settings { settings } else { try await retry.run { try await plugin.describe() } }
        return DeclaredDevice(
            settings: described,
            connection: PluginConnection(plugin: plugin, settings: described, isDescribed: settings == nil),
            confirmation: confirmation, retry: retry)
    }
}

/// Lets go of a plug-in at once when its accessory does. The plug-in's own thread may hold the plug-in itself a moment longer,
/// while it hands on what it has read; by then the next one may have been started.
private final class PluginLease: Sendable {
    let plugin: Plugin

    init(plugin: Plugin) { self.plugin = plugin }

    deinit { plugin.letGo() }
}

/// Asks the plug-in on every call, also for what settings there are: a new version of it may have others.
struct PluginProvider: AccessorySettingsObserving {
    func settings(context: PluginDevice, for accessory: HMAccessory) async throws -> DeclaredContainer {
        try await DeclaredProvider().settings(context: context.described(), for: accessory)
    }

    func settingsDidChange(changes: [String: Any], context: PluginDevice, for accessory: HMAccessory) async throws {
        try await DeclaredProvider().settingsDidChange(
            changes: changes, context: context.described(), for: accessory)
    }

    func settingsChanges(context: PluginDevice, for accessory: HMAccessory) -> AsyncStream<Void> {
        context.plugin.changes
    }
}

/// Reads and writes by asking a plug-in.
private struct PluginConnection: DeviceConnection {
    var plugin: Plugin
    var settings: [DeclaredSetting]
    /// Whether the plug-in itself listed the settings.
    var isDescribed: Bool

    @concurrent func read() async throws -> [String: JSONValue] {
        let answer = try await plugin.request(.read)
        guard case .object(let values)? = answer.members["values"] else {
            throw DeviceError("plug-in \(plugin.name) answered 'read' without an object 'values'")
        }
        if isDescribed, let unknown = values.keys.sorted().first(where: { id in !settings.contains { $0.id == id } }) {
            let name = plugin.secrets.redaction.excerpt(unknown, limit: 40)
            throw DeviceError("plug-in \(plugin.name) reads '\(name)', which it did not describe")
        }
        var checked: [String: JSONValue] = [:]
        for setting in settings {
            guard let value = values[setting.id] else { continue }
            do throws(DeviceError) {
                checked[setting.id] = try setting.checked(value, hiding: plugin.secrets.redaction)
            } catch {
                throw DeviceError("plug-in \(plugin.name) reads \(setting.id): \(error)")
            }
        }
        return checked
    }

    @concurrent func write(_ changes: [DeviceChange]) async throws -> [String: DeviceError] {
        plugin.secrets.add(changes, of: settings)
        let answer = try await plugin.request(.write(changes))
        guard let errors = answer.members["errors"], errors != .null else { return [:] }
        let known = Set(changes.map(\.setting))
        guard case .object(let reasons) = errors, known.isSuperset(of: reasons.keys) else {
            throw DeviceError(
                "plug-in \(plugin.name) answered 'write' with 'errors' that are no object of sentences by changed setting"
            )
        }
        return reasons.compactMapValues { reason in
            PluginAnswer.sentence(of: reason).map {
                DeviceError("plug-in \(plugin.name): \(plugin.hidingSecrets(in: $0))")
            }
        }
    }
}
