import TestSupport
import Testing

/// `settings2mqtt check --probe`
@Suite(.timeLimit(.minutes(2))) struct CheckProbeTests {
    @Test func `it prints what each device says, or why it says nothing`() async throws {
        let configuration = """
            {
              "accessories": [
                { "id": "hallway", "provider": { "type": "simulated", "model": "thermostat" } },
                { "id": "attic", "provider": {
                    "type": "file", "format": "text", "path": "/nowhere/at/all",
                    "settings": { "note": { "kind": "text" } } } }
              ]
            }
            """
        try await withConfiguration(configuration) { path in
            let (status, lines) = try await Program.settings2mqtt.run(["check", "-c", path, "--probe"])
            #expect(status == 1, "one of them can't be read")
            let rows = lines.map { $0.split(separator: " ").map(String.init) }
            #expect(rows.first == ["ACCESSORY", "SETTING", "VALUE", "TAKES", "STATE"])
            #expect(rows.contains(["hallway", "eco", "OFF", "ON,", "OFF"]))
            #expect(rows.contains(["hallway", "target_temp", "20", "5", "to", "30", "°C", "in", "steps", "of", "0.5"]))
            #expect(
                rows.contains([
                    "hallway", "fan_timer", "30", "10", "to", "120", "min", "in", "steps", "of", "10", "hidden",
                ]))
            #expect(lines.contains { $0.hasPrefix("attic ") && $0.contains("/nowhere/at/all") })
        }
    }
}
