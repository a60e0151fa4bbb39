import AccessorySettings
import Testing

@MainActor @Suite struct SimulatedGeneratorTests {
    @Test func `it has as many settings as wanted, of all kinds in turn`() async throws {
        let snapshot = try await SimulatedDevice(#""model": "generator", "settings": 7"#).read()
        #expect(
            snapshot.settings.map(\.id) == [
                "toggle_1", "range_2", "enumeration_3", "text_4", "information_5", "toggle_6", "range_7",
            ])
        #expect(
            snapshot.settings.map(\.value) == [
                .toggle(false), .number(50), .option("low"), .text("Text 4"), .text("Information 5"), .toggle(false),
                .number(50),
            ])
    }

    @Test(arguments: [
        ("toggle_1", SettingValue.toggle(true)), ("range_2", .number(20.5)), ("enumeration_3", .option("high")),
        ("text_4", .text("{{value}}")),
    ])
    func `a change is kept`(_ id: String, _ value: SettingValue) async throws {
        let device = try SimulatedDevice(#""model": "generator", "settings": 5"#)
        #expect(try await device.write([id: value])[id]?.value == value)
    }

    @Test func `it fails as often as wanted`() async throws {
        let device = try SimulatedDevice(#""model": "generator", "settings": 5, "failure_rate": 1"#)
        await #expect(throws: (any Error).self) { try await device.read() }
    }
}
