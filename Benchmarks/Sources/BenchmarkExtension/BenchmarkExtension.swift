import HomeExtensions
import HomeKit

/// The bridge as measured: every accessory of the configuration has as many settings as `BENCHMARK_SETTINGS` says.
@main struct BenchmarkExtension: HomeExtension {
    var body: some HomeContent {
        HomeAccessorySettings {
            Device()
        } provider: {
            DeviceSettingsProvider()
        }
    }
}
