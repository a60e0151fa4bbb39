import AccessorySettings
import SettingsBridge

/// For devices whose answer lags behind their write: after a write the device is read until it reports what was asked
/// for, so that nobody sees the old value come back.
struct Confirmation: Sendable, Equatable {
    /// How long to wait.
    var within: Duration
    /// The pause between two readings.
    var every: Duration

    /// `"confirm": { "within": "5s", "every": "500ms" }`
    static func read(_ provider: SectionReader) -> Confirmation? {
        guard let section = provider.optionalSection("confirm") else { return nil }
        let within = section.duration("within", in: .milliseconds(10)...Duration.seconds(600)) ?? .seconds(5)
        let every = section.duration("every", in: .milliseconds(10)...Duration.seconds(60)) ?? .milliseconds(500)
        return Confirmation(within: within, every: every)
    }

    /// Waits until the device reports what was asked for.
    ///
    /// - Returns: by setting, what it reports instead when the time is up.
    /// - Throws: `CancellationError`.
    func unconfirmed(
        of asked: [(DeclaredSetting, SettingValue)], on device: DeclaredDevice
    ) async throws -> [String: DeviceError] {
        let readable = asked.filter { !$0.0.isSecret }
        guard !readable.isEmpty else { return [:] }
        let deadline = ContinuousClock.now.advanced(by: within)
        while true {
            // A reading that fails says nothing about the value; the last one counts.
            let values = try? await device.connection.read()
            let missing = readable.filter { setting, value in
                values?[setting.id].flatMap { setting.mapping.value($0, of: setting) } != value
            }
            if values != nil, missing.isEmpty { return [:] }
            guard ContinuousClock.now.advanced(by: every) < deadline else {
                let failures = missing.map { setting, _ in (setting.id, DeviceError(sentence(setting, values))) }
                return Dictionary(failures) { first, _ in first }
            }
            try await Task.sleep(for: every)
        }
    }

    private func sentence(_ setting: DeclaredSetting, _ values: [String: JSONValue]?) -> String {
        guard let values else { return "it was sent, but the device can't be read to confirm it" }
        let reported = values[setting.id].flatMap { setting.mapping.value($0, of: setting) }
        let found = reported.map { Setting(setting.descriptor, value: $0).valueText } ?? "nothing"
        return "it was sent, but after \(within.text) the device reports \(found)"
    }
}
