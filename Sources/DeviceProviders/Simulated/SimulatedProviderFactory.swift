import AccessorySettings
import SettingsBridge

/// Makes devices that exist only in memory, to try the bridge without any hardware:
/// `{ "type": "simulated", "model": "thermostat", "delay": "100ms", "failure_rate": 0.1 }`, or with any number of settings:
/// `{ "type": "simulated", "model": "generator", "settings": 500 }`.
struct SimulatedProviderFactory: ProviderFactory {
    enum Model: String, CaseIterable {
        case thermostat, lamp
        /// As many settings as wanted.
        case generator
    }

    let type = "simulated"

    func makeSettings(
        from section: SectionReader, accessory: AccessoryConfiguration
    ) -> (@MainActor @Sendable () -> HomeAccessorySettings)? {
        let model = section.word("model", as: Model.self, required: true)
        let delay = section.duration("delay", in: .zero...Duration.seconds(3600))
        let failureRate = section.number("failure_rate", in: 0...1)
        // With a faulty model it is not known whether the key belongs here.
        let hasCount = model == .generator || model == nil
        let count = hasCount ? section.integer("settings", in: 1...10_000, required: model == .generator) : nil
        guard let model, !section.hasFaults else { return nil }
        let context = SimulatedContext(delay: delay ?? .zero, failureRate: failureRate ?? 0)
        return switch model {
        case .thermostat:
            { HomeAccessorySettings(context: { context }, provider: { SimulatedThermostatProvider() }) }
        case .lamp:
            { HomeAccessorySettings(context: { context }, provider: { SimulatedLampProvider() }) }
        case .generator:
            generated(GeneratedDevice(count: count ?? 1, context: context))
        }
    }

    private func generated(_ device: GeneratedDevice) -> @MainActor @Sendable () -> HomeAccessorySettings {
        let context = DeclaredDevice(settings: device.settings, connection: device)
        return { HomeAccessorySettings(context: { context }, provider: { DeclaredProvider() }) }
    }
}
