import AccessorySettings
package import HomeKit

extension AccessoryConfiguration {
    /// What may serve the accessory: its own provider, or else what the extension offers.
    ///
    /// - Parameter log: where providers write what happens between two calls.
    func candidates(
        _ extensionSettings: [HomeAccessorySettings], log: Log = Log([])
    ) -> @MainActor @Sendable () -> [HomeAccessorySettings] {
        if let makeSettings { return { [Log.$ofProviders.withValue(log) { makeSettings() }] } }
        return { extensionSettings }
    }
}

extension HMAccessory {
    /// The accessory as providers and filters see it.
    package convenience init(_ accessory: AccessoryConfiguration) {
        self.init(
            name: accessory.name, uniqueIdentifier: accessory.uuid,
            category: accessory.category.flatMap(HMAccessoryCategory.init(word:))
                ?? HMAccessoryCategory(HMAccessoryCategoryTypeOther),
            room: accessory.room.map {
                HMRoom(name: $0, uniqueIdentifier: .version5(of: "room:" + $0, in: .accessoryNamespace))
            },
            manufacturer: accessory.manufacturer, model: accessory.model, firmwareVersion: accessory.firmware)
    }
}
