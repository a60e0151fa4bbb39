import AccessorySettings
import Foundation
import Testing

@MainActor @Suite struct SimulatedThermostatTests {
    let thermostat: SimulatedDevice

    init() throws {
        thermostat = try SimulatedDevice(#""model": "thermostat""#)
    }

    @Test func `it starts with settings of every kind, in order`() async throws {
        let snapshot = try await thermostat.read()
        #expect(
            snapshot.settings.map(\.id) == [
                "eco", "target_temp", "fan_speed", "display_name", "boost_minutes", "fan_timer", "humidity", "firmware",
            ])
        #expect(
            snapshot.settings.map(\.value) == [
                .toggle(false), .number(20), .option("auto"), .text(""), .number(0), .number(30), .text("45 %"),
                .text("1.4.0"),
            ])
        #expect(thermostat.name == "SimulatedThermostatProvider")
    }

    @Test func `bounds, steps, units and options are declared`() async throws {
        let snapshot = try await thermostat.read()
        #expect(
            snapshot["target_temp"]?.descriptor.kind
                == .range(
                    RangeDescriptor(
                        lowerBound: 5, upperBound: 30, step: 0.5, isInteger: false, unit: "°C", decimalPrecision: 1)))
        #expect(
            snapshot["fan_timer"]?.descriptor.kind
                == .range(
                    RangeDescriptor(
                        lowerBound: 10, upperBound: 120, step: 10, isInteger: true, unit: "min", decimalPrecision: nil))
        )
        #expect(
            snapshot["fan_speed"]?.descriptor.kind
                == .enumeration([
                    EnumerationOption(rawValue: "low", label: "Low"),
                    EnumerationOption(rawValue: "medium", label: "Medium"),
                    EnumerationOption(rawValue: "high", label: "High"),
                    EnumerationOption(rawValue: "auto", label: "Automatic"),
                ]))
    }

    @Test(arguments: [
        ("eco", SettingValue.toggle(true)), ("target_temp", .number(21.5)), ("fan_speed", .option("medium")),
        ("display_name", .text("Flur")), ("boost_minutes", .number(15)), ("fan_timer", .number(60)),
    ])
    func `a change is kept`(_ id: String, _ value: SettingValue) async throws {
        #expect(try await thermostat.write([id: value])[id]?.value == value)
    }

    @Test func `several changes are applied together, the others stay`() async throws {
        let snapshot = try await thermostat.write(["target_temp": .number(25), "fan_speed": .option("low")])
        #expect(snapshot["target_temp"]?.value == .number(25))
        #expect(snapshot["fan_speed"]?.value == .option("low"))
        #expect(snapshot["eco"]?.value == .toggle(false))
    }

    @Test func `eco mode disables and ends the boost and puts the humidity sensor to sleep`() async throws {
        try await thermostat.write(["boost_minutes": .number(30)])
        let saving = try await thermostat.write(["eco": .toggle(true)])
        #expect(saving["boost_minutes"]?.descriptor.isEnabled == false)
        #expect(saving["boost_minutes"]?.value == .number(0))
        #expect(saving["humidity"]?.value == nil)
        let normal = try await thermostat.write(["eco": .toggle(false)])
        #expect(normal["boost_minutes"]?.descriptor.isEnabled == true)
        #expect(normal["humidity"]?.value == .text("45 %"))
    }

    @Test func `the fan timer is hidden unless the fan turns at high speed`() async throws {
        #expect(try await thermostat.read()["fan_timer"]?.descriptor.isHidden == true)
        let high = try await thermostat.write(["fan_speed": .option("high")])
        #expect(high["fan_timer"]?.descriptor.isHidden == false)
    }

    @Test func `its state lives as long as the process, for each accessory`() async throws {
        let id = UUID().uuidString
        try await SimulatedDevice(#""model": "thermostat""#, id: id).write(["target_temp": .number(7)])
        let again = try SimulatedDevice(#""model": "thermostat""#, id: id)
        #expect(try await again.read()["target_temp"]?.value == .number(7))
        #expect(try await thermostat.read()["target_temp"]?.value == .number(20))
    }
}
