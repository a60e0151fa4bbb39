import AccessorySettings
import SettingsBridge

extension DeclaredSetting {
    /// Reads `enabled_when` and `hidden_when`.
    ///
    /// - Parameters:
    ///   - settings: all settings of the accessory that could be read.
    ///   - names: all there are, with those that have faults.
    mutating func readConditions(_ reader: SectionReader, _ settings: [String: DeclaredSetting], names: [String]) {
        enabledWhen = readCondition("enabled_when", reader, settings, names)
        hiddenWhen = readCondition("hidden_when", reader, settings, names)
    }

    private func readCondition(
        _ key: String, _ reader: SectionReader, _ settings: [String: DeclaredSetting], _ names: [String]
    ) -> Condition? {
        guard let section = reader.optionalSection(key) else { return nil }
        let value = section.deviceValue("equals", required: true)
        guard let other = section.string("setting", required: true) else { return nil }
        guard other != id, names.contains(other) else {
            let others = names.filter { $0 != id }.prefix(10)
            section.fault(
                "must be another setting of this accessory"
                    + (others.isEmpty ? ", but there is none" : ": \(others.joined(separator: ", "))")
                    + (names.count - 1 > others.count ? " …" : "") + ", found '\(other.prefix(40))'", at: "setting")
            return nil
        }
        // A setting with a fault of its own is named there.
        guard let value, let setting = settings[other] else { return nil }
        guard !setting.isSecret else {
            section.fault("must not be a secret, which is never read", at: "setting")
            return nil
        }
        guard let equal = setting.descriptor.kind.value(value) else {
            section.fault("must be a value of \(other): \(setting.descriptor.kind.allowedValues)", at: "equals")
            return nil
        }
        return Condition(setting: other, value: equal)
    }
}
