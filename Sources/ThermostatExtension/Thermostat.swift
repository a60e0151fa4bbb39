import Foundation

/// A pretend thermostat. A real one would be asked over the network.
actor Thermostat {
    struct State: Sendable {
        var isEco = false
        /// In °C.
        var targetTemperature = 20.0
        var fanSpeed = FanSpeed.auto
        var displayName = ""
        /// How long to heat at full power, in minutes.
        var boost = 0
        /// How long the fan runs at high speed, in minutes.
        var fanTimer = 30
        let firmware = "1.4.0"

        /// Relative humidity in percent. The sensor sleeps in eco mode.
        var humidity: Int? {
            isEco ? nil : 45
        }
    }

    private(set) var state = State()

    func update(_ change: @Sendable (inout State) -> Void) {
        change(&state)
        if state.isEco { state.boost = 0 }
    }
}

/// All thermostats of the home, found by the accessory's identifier.
@MainActor final class Thermostats {
    static let shared = Thermostats()

    private var devices: [UUID: Thermostat] = [:]

    func device(for identifier: UUID) -> Thermostat {
        if let known = devices[identifier] { return known }
        let device = Thermostat()
        devices[identifier] = device
        return device
    }
}
