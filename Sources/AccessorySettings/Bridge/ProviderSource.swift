import HomeKit

/// The source that asks a provider of type `Provider`.
@MainActor final class ProviderSource<Provider: HomeAccessorySettingsProvider>: AccessorySettingsSource {
    nonisolated let name: String
    private let provider: Provider
    private let context: Provider.Context

    init(provider: Provider, context: Provider.Context) {
        name = String(describing: Provider.self)
        self.provider = provider
        self.context = context
    }

    func settings(for accessory: HMAccessory) async throws -> [Setting] {
        let container = try await provider.settings(context: context, for: accessory)
        return container.availableSettings.map(\.setting)
    }

    func settingsDidChange(_ changes: [Setting], for accessory: HMAccessory) async throws {
        try await provider.settingsDidChange(
            changes: changeDictionary(for: changes), context: context, for: accessory)
    }

    func settingsChanges(for accessory: HMAccessory) -> AsyncStream<Void>? {
        func changes<Observing: AccessorySettingsObserving>(of provider: Observing) -> AsyncStream<Void>? {
            (context as? Observing.Context).map { provider.settingsChanges(context: $0, for: accessory) }
        }
        guard let provider = provider as? any AccessorySettingsObserving else { return nil }
        return changes(of: provider)
    }
}
