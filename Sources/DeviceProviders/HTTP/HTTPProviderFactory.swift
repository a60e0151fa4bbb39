import AccessorySettings
import MQTT
import SettingsBridge

/// Makes devices that speak JSON over HTTP, see `docs/providers/http.md`.
struct HTTPProviderFactory: ProviderFactory {
    let type = "http"

    /// Accessories that are parts of one device share its line.
    private let lines = RequestLines()

    func makeSettings(
        from section: SectionReader, accessory: AccessoryConfiguration
    ) -> (@MainActor @Sendable () -> HomeAccessorySettings)? {
        let plan = HTTPPlan(reading: section, accessory: accessory)
        let confirmation = Confirmation.read(section)
        let retry = Retry.read(section)
        guard let plan, !section.hasFaults else { return nil }
        let line = lines.line(to: plan.origin)
        return {
            HomeAccessorySettings(
                context: {
                    DeclaredDevice(
                        settings: plan.accesses.map(\.setting), connection: HTTPDevice(plan, line: line),
                        confirmation: confirmation, retry: retry)
                }, provider: { DeclaredProvider() })
        }
    }
}
