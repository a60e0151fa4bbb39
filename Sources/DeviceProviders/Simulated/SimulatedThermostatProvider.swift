import AccessorySettings
import HomeKit

@MainActor private let thermostats = SimulatedDevices(startingAs: SimulatedThermostat())

struct SimulatedThermostatProvider: HomeAccessorySettingsProvider {
    func settings(
        context: SimulatedContext, for accessory: HMAccessory
    ) async throws -> SimulatedThermostatSettings {
        try await context.answer()
        return SimulatedThermostatSettings(thermostats[accessory.uniqueIdentifier])
    }

    func settingsDidChange(
        changes: [String: Any], context: SimulatedContext, for accessory: HMAccessory
    ) async throws {
        try await context.answer()
        thermostats[accessory.uniqueIdentifier].apply(changes)
    }
}
