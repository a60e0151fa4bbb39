import AccessorySettings
import SettingsBridge

/// A setting as the configuration declares it, for a provider that works with devices described there.
struct DeclaredSetting: Sendable {
    /// What is the same in every snapshot.
    var descriptor: SettingDescriptor
    var defaultValue: SettingValue?
    /// How the device's values and ours correspond.
    var mapping: ValueMapping
    var enabledWhen: Condition?
    var hiddenWhen: Condition?

    var id: String { descriptor.id }

    /// Whether people may change it at all.
    var isSettable: Bool {
        if case .information = descriptor.kind { false } else { true }
    }

    /// Whether it is written, but never read.
    var isSecret: Bool {
        if case .text(_, _, isSecret: true) = descriptor.kind { true } else { false }
    }

    /// That another setting has a certain value.
    struct Condition: Sendable, Equatable {
        var setting: String
        var value: SettingValue
    }
}

extension [DeclaredSetting] {
    /// The snapshot that the device's values make. A value that is missing or not of its kind is unreadable.
    func snapshot(of values: [String: JSONValue]) -> [Setting] {
        let read = map { setting -> (DeclaredSetting, SettingValue?) in
            let value = setting.isSecret ? nil : values[setting.id].flatMap { setting.mapping.value($0, of: setting) }
            return (setting, value ?? (setting.isSecret ? nil : setting.defaultValue))
        }
        func isTrue(_ condition: DeclaredSetting.Condition) -> Bool {
            read.first { $0.0.id == condition.setting }?.1 == condition.value
        }
        return read.map { setting, value in
            var descriptor = setting.descriptor
            descriptor.isEnabled = setting.enabledWhen.map(isTrue) ?? true
            descriptor.isHidden = setting.hiddenWhen.map(isTrue) ?? false
            return Setting(descriptor, value: value)
        }
    }
}
