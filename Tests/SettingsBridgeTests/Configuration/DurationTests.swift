import Testing

@testable import SettingsBridge

@Suite("Durations of the configuration")
struct DurationTests {
    @Test(arguments: [
        ("60", Duration.seconds(60)), ("0.1", .milliseconds(100)), ("1.5", .milliseconds(1500)),
        ("'90s'", .seconds(90)),
        ("'250ms'", .milliseconds(250)), ("'1.5m'", .seconds(90)), ("'24h'", .seconds(86_400)), ("'60'", .seconds(60)),
        ("0", .zero), ("'0s'", .zero), ("'0'", .zero), ("-0", .zero), ("'0ms'", .zero),
    ])
    func refreshInterval(text: String, duration: Duration) throws {
        #expect(try parsedConfiguration("{ refresh_interval: \(text) }").refreshInterval == duration)
    }

    @Test(arguments: [
        ("-1", "must be 0 or 100ms to 24h, found -1 seconds"),
        ("0.05", "must be 0 or 100ms to 24h, found 0.05 seconds"),
        ("'25h'", "must be 0 or 100ms to 24h, found '25h'"),
        ("'-5s'", "must be 0 or 100ms to 24h, found '-5s'"),
        ("1e300", "must be 0 or 100ms to 24h, found 1e+300 seconds"),
        ("'1d'", "must be a duration such as \"90s\" or 90 (units ms, s, m, h), found '1d'"),
        ("'1 s'", "must be a duration such as \"90s\" or 90 (units ms, s, m, h), found '1 s'"),
        ("''", "must be a duration such as \"90s\" or 90 (units ms, s, m, h), found ''"),
        ("'s'", "must be a duration such as \"90s\" or 90 (units ms, s, m, h), found 's'"),
        ("'0x10s'", "must be a duration such as \"90s\" or 90 (units ms, s, m, h), found '0x10s'"),
        ("Infinity", "must be a duration such as \"90s\" or 90 (units ms, s, m, h), found a number that is not finite"),
        ("true", "must be a duration such as \"90s\" or 90 (units ms, s, m, h), found true or false"),
    ])
    func refreshIntervalFaults(text: String, message: String) {
        #expect(
            configurationFaults("{ refresh_interval: \(text) }") == [
                "settings2mqtt.json:1:21: refresh_interval: \(message)"
            ])
    }

    @Test func limits() throws {
        #expect(try parsedConfiguration("{ timeout: '10m' }").timeout == .seconds(600))
        #expect(
            configurationFaults("{ timeout: '601s' }") == [
                "settings2mqtt.json:1:12: timeout: must be 1ms to 10m, found '601s'"
            ])
        #expect(
            configurationFaults("{ timeout: 0 }") == [
                "settings2mqtt.json:1:12: timeout: must be 1ms to 10m, found 0 seconds"
            ])
        #expect(try parsedConfiguration("{ health_interval: 0 }").healthInterval == .zero)
        #expect(try parsedConfiguration("{ mqtt: { session_expiry: '168h' } }").mqtt.sessionExpiry == .seconds(604_800))
        #expect(
            configurationFaults("{ mqtt: { session_expiry: 0.5 } }") == [
                "settings2mqtt.json:1:27: mqtt.session_expiry: must be 0s to 168h in whole seconds, found 0.5 seconds"
            ])
    }

    @Test func accessoriesTakeTheValuesAtTheTop() throws {
        let accessories = try parsedConfiguration(
            """
            { accessories: [ { id: 'a' }, { id: 'b', timeout: 1, refresh_interval: 0, offline_after: 7 } ],
              timeout: '2s', refresh_interval: '3s', offline_after: 4 }
            """
        ).accessories
        #expect(accessories.map(\.timeout) == [.seconds(2), .seconds(1)])
        #expect(accessories.map(\.refreshInterval) == [.seconds(3), .zero])
        #expect(accessories.map(\.offlineAfter) == [4, 7])
    }
}
