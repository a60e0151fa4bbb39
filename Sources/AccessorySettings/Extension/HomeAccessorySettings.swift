public import HomeKit

/// A provider with its context, for the accessories that a filter accepts.
@MainActor public struct HomeAccessorySettings: HomeContent, Sendable, SendableMetatype {
    private let filter: HomeAccessoryConfiguration.SupportsAccessory
    private let sourceFactory: @MainActor () -> any AccessorySettingsSource

    /// - Parameters:
    ///   - context: makes what is handed to the provider on every call. Runs once for each accessory.
    ///   - provider: makes the provider. Runs once for each accessory.
    ///   - filter: whether the settings apply to an accessory. The provider is never called for others.
    @MainActor public init<Provider>(
        context: @escaping () -> Provider.Context, provider: @escaping () -> Provider,
        filter: @escaping HomeAccessoryConfiguration.SupportsAccessory = { _ in true }
    ) where Provider: HomeAccessorySettingsProvider {
        self.filter = filter
        sourceFactory = { ProviderSource(provider: provider(), context: context()) }
    }

    /// Whether the settings apply to an accessory.
    @MainActor package func accepts(_ accessory: HMAccessory) async -> Bool {
        await filter(accessory)
    }

    /// Makes a provider and its context, to serve one accessory.
    @MainActor package func makeSource() -> any AccessorySettingsSource {
        sourceFactory()
    }
}

/// In Apple's API a configuration screen. Screens are drawn by the Home app alone, so only the type of filters is here.
@MainActor public struct HomeAccessoryConfiguration {
    /// Tells for which accessories a content is meant.
    public typealias SupportsAccessory = @isolated(any) @Sendable (HMAccessory) -> Bool
}
