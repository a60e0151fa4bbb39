import AccessorySettings
import HomeKit

@MainActor private let lamps = SimulatedDevices(startingAs: SimulatedLamp())

struct SimulatedLampProvider: HomeAccessorySettingsProvider {
    func settings(context: SimulatedContext, for accessory: HMAccessory) async throws -> SimulatedLampSettings {
        try await context.answer()
        return SimulatedLampSettings(lamps[accessory.uniqueIdentifier])
    }

    func settingsDidChange(
        changes: [String: Any], context: SimulatedContext, for accessory: HMAccessory
    ) async throws {
        try await context.answer()
        lamps[accessory.uniqueIdentifier].apply(changes)
    }
}
