public import AccessorySettings

/// Makes the `HomeAccessorySettings` of accessories from the `provider` section of the configuration.
public protocol ProviderFactory: Sendable {
    /// The word in `"provider": { "type": … }`.
    var type: String { get }

    /// Reads and validates the section (all but `type`). Keys that it does not ask for are reported as unknown.
    ///
    /// - Parameters:
    ///   - section: the `provider` section.
    ///   - accessory: everything else that is known of the accessory.
    /// - Returns: what makes the settings when the session of the accessory starts; `nil` when a fault was reported.
    func makeSettings(
        from section: SectionReader, accessory: AccessoryConfiguration
    ) -> (@MainActor @Sendable () -> HomeAccessorySettings)?
}
