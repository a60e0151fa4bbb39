package import HomeKit

/// One provider with its context, as it serves one accessory.
@MainActor package protocol AccessorySettingsSource: AnyObject, Sendable {
    /// The name of the provider's type, for messages.
    nonisolated var name: String { get }

    /// Reads the accessory's settings, in the order in which they are shown, duplicates included.
    ///
    /// - Throws: what the provider throws.
    func settings(for accessory: HMAccessory) async throws -> [Setting]

    /// Applies changes.
    ///
    /// - Parameter changes: the changed settings with their new values. Those without a value and information settings,
    ///   which can't be changed, are left out.
    /// - Throws: what the provider throws.
    func settingsDidChange(_ changes: [Setting], for accessory: HMAccessory) async throws

    /// Announces changes: each element asks for a read. `nil` when the provider can't tell.
    func settingsChanges(for accessory: HMAccessory) -> AsyncStream<Void>?
}
