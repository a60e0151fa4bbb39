import Foundation
import HomeExtensions
import HomeKit

/// How the provider reaches the thermostats.
struct ThermostatContext: HomeAccessorySettingsContext {
    let devices: Thermostats
}

/// Reads the settings of a thermostat and writes the changes people make.
struct ThermostatSettingsProvider: HomeAccessorySettingsProvider {
    func settings(context: ThermostatContext, for accessory: HMAccessory) async throws -> ThermostatSettings {
        let device = context.devices.device(for: accessory.uniqueIdentifier)
        return ThermostatSettings(state: await device.state)
    }

    func settingsDidChange(
        changes: [String: Any], context: ThermostatContext, for accessory: HMAccessory
    ) async throws {
        let eco = changes["eco"] as? Bool
        let targetTemperature = changes["target_temp"] as? Double
        let fanSpeed = (changes["fan_speed"] as? String).flatMap(FanSpeed.init)
        let displayName = changes["display_name"] as? String
        let boost = changes["boost_minutes"] as? Int
        let fanTimer = changes["fan_timer"] as? Int

        await context.devices.device(for: accessory.uniqueIdentifier).update { state in
            state.isEco = eco ?? state.isEco
            state.targetTemperature = targetTemperature ?? state.targetTemperature
            state.fanSpeed = fanSpeed ?? state.fanSpeed
            state.displayName = displayName ?? state.displayName
            state.boost = boost ?? state.boost
            state.fanTimer = fanTimer ?? state.fanTimer
        }
    }
}
