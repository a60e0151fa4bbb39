public import HomeKit

/// Reads the settings of accessories and applies the changes people make.
///
/// A provider holds no values of settings. Everything is asked of the accessory, on each call.
@MainActor public protocol HomeAccessorySettingsProvider {
    associatedtype Container: HomeAccessorySettingsContainer
    associatedtype Context: HomeAccessorySettingsContext

    /// Reads the accessory's settings. Called at start, after every change and on each refresh.
    @MainActor func settings(context: Context, for accessory: HMAccessory) async throws -> Container

    /// Applies changes to the accessory, and returns when the accessory has taken them. The settings are read right after.
    ///
    /// - Parameter changes: the new values by setting identifier, changed settings only: `Bool` for a toggle, `NSNumber`
    ///   for a range, `String` for text and for an enumeration (the text form of its raw value).
    @MainActor func settingsDidChange(
        changes: [String: Any], context: Context, for accessory: HMAccessory
    ) async throws
}

/// A provider that can tell when settings changed by themselves. Not part of Apple's API.
///
/// Accessories of other providers are read at an interval.
@MainActor public protocol AccessorySettingsObserving: HomeAccessorySettingsProvider {
    /// Announces changes: each element causes a read of the accessory's settings.
    @MainActor func settingsChanges(context: Context, for accessory: HMAccessory) -> AsyncStream<Void>
}
