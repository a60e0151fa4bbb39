/// One setting of an accessory: a toggle, a range, an enumeration, a text field or an information.
///
/// Not meant to be adopted by other types.
public protocol HomeAccessorySetting: Identifiable where ID == String {
    /// What changes name the setting by. Unique across all providers of an accessory.
    var id: String { get }
}

/// What each of the setting property wrappers can say of itself in neutral terms.
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
