import Foundation
import HomeExtensions
import HomeKit

/// Offers the settings of our thermostats.
@main struct ThermostatExtension: HomeExtension {
    var body: some HomeContent {
        HomeAccessorySettings {
            ThermostatContext(devices: .shared)
        } provider: {
            ThermostatSettingsProvider()
        } filter: { accessory in
            accessory.category.categoryType == HMAccessoryCategoryTypeThermostat
        }
    }
}
