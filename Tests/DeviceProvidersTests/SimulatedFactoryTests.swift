import SettingsBridge
import Testing

@Suite struct SimulatedFactoryTests {
    @Test(arguments: [
        (
            #""model": "thermo""#,
            "accessories[0].provider.model: must be one of thermostat, lamp, generator, found 'thermo'"
        ),
        (
            #""model": "lmap""#,
            "accessories[0].provider.model: must be one of thermostat, lamp, generator, found 'lmap'; did you mean 'lamp'?"
        ),
        (#""delay": 1"#, "accessories[0].provider.model: is missing; it must be one of thermostat, lamp, generator"),
        (
            #""model": "lamp", "delay": "soon""#,
            "accessories[0].provider.delay: must be a duration such as \"90s\" or 90 (units ms, s, m, h), found 'soon'"
        ),
        (#""model": "lamp", "delay": "2h""#, "accessories[0].provider.delay: must be 0s to 1h, found '2h'"),
        (
            #""model": "lamp", "failure_rate": 1.5"#,
            "accessories[0].provider.failure_rate: must be a number from 0 to 1, found 1.5"
        ),
        (
            #""model": "lamp", "failure_rate": "often""#,
            "accessories[0].provider.failure_rate: must be a number from 0 to 1, found a string"
        ),
        (
            #""model": "generator""#,
            "accessories[0].provider.settings: is missing"
        ),
        (
            #""model": "generator", "settings": 0"#,
            "accessories[0].provider.settings: must be a whole number from 1 to 10000, found 0"
        ),
        (
            #""model": "generators", "settings": 5"#,
            "accessories[0].provider.model: must be one of thermostat, lamp, generator, found 'generators'; did you mean 'generator'?"
        ),
        (
            #""model": "lamp", "failurerate": 1"#,
            "accessories[0].provider: unknown key 'failurerate'; did you mean 'failure_rate'?"
        ),
    ])
    func `a faulty section is reported with what would be right`(_ section: String, _ expected: String) {
        let error = #expect(throws: ConfigurationError.self) { try parse(section) }
        #expect(error?.faults.map { "\($0.path): \($0.message)" } == [expected])
    }

    @Test func `all faults of a section are reported at once`() {
        let error = #expect(throws: ConfigurationError.self) {
            try parse(#""model": 1, "delay": true, "failure_rate": -1, "colour": "red""#)
        }
        #expect(error?.faults.count == 4)
    }

    @Test(arguments: [
        #""model": "thermostat""#, #""model": "lamp""#,
        #""model": "lamp", "delay": "100ms", "failure_rate": 0.5"#, #""model": "lamp", "delay": 0, "failure_rate": 0"#,
        #""model": "generator", "settings": 10000, "delay": "10ms", "failure_rate": 0.1"#,
    ])
    func `a right section makes settings`(_ section: String) throws {
        #expect(try parse(section).accessories[0].makeSettings != nil)
    }
}
