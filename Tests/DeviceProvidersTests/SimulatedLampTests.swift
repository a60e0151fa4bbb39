import AccessorySettings
import Testing

@MainActor @Suite struct SimulatedLampTests {
    let lamp: SimulatedDevice

    init() throws {
        lamp = try SimulatedDevice(#""model": "lamp""#)
    }

    @Test func `it starts with settings of every kind, in order`() async throws {
        let snapshot = try await lamp.read()
        #expect(
            snapshot.settings.map(\.id) == [
                "power_on_behavior", "transition", "max_brightness", "night_mode", "note", "firmware",
            ])
        #expect(
            snapshot.settings.map(\.value) == [
                .option("last"), .number(0.5), .number(100), .toggle(false), .text(""), .text("2.1.7"),
            ])
        #expect(lamp.name == "SimulatedLampProvider")
    }

    @Test(arguments: [
        ("power_on_behavior", SettingValue.option("on")), ("transition", .number(2.3)), ("max_brightness", .number(40)),
        ("night_mode", .toggle(true)), ("note", .text("Gift")),
    ])
    func `a change is kept`(_ id: String, _ value: SettingValue) async throws {
        #expect(try await lamp.write([id: value])[id]?.value == value)
    }

    @Test func `night mode disables the greatest brightness`() async throws {
        #expect(try await lamp.read()["max_brightness"]?.descriptor.isEnabled == true)
        let night = try await lamp.write(["night_mode": .toggle(true)])
        #expect(night["max_brightness"]?.descriptor.isEnabled == false)
    }
}
