/// One setting of an accessory: a toggle, a range, an enumeration, a text field or an information.
///
/// Not meant to be adopted by other types.
public protocol HomeAccessorySetting: Identifiable where ID == String {
    /// What changes name the setting by. Unique across all providers of an accessory.
    var id: String { get }
    /// The setting in neutral terms, as the bridge works with it. Not part of Apple's API.
    var setting: Setting { get }
}

/// A setting of the package's own making, for providers that describe their settings in neutral terms to begin with.
package protocol DescribableSetting: HomeAccessorySetting {
    var setting: Setting { get }
}

extension SettingDescriptor {
    init(id: String, label: HomeAccessorySettingLabel, isEnabled: Bool, isHidden: Bool, kind: SettingKind) {
        self.init(
            id: id, label: label.label.resolved, detail: label.detailedLabel?.resolved, isEnabled: isEnabled,
            isHidden: isHidden, kind: kind)
    }
}
