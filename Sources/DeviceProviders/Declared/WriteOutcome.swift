/// Carries out a change that a device takes in several steps, and collects what failed.
///
/// A step that fails does not keep the others from being tried. Only a device that does not answer, or is busy, is not
/// sent the rest: each step would have to wait as long, and time is short.
struct WriteOutcome {
    /// Why changes failed, by setting.
    private(set) var failures: [String: DeviceError] = [:]
    /// The settings of the step after which nothing more was sent.
    private var obstacle: String?

    /// Carries out one step.
    ///
    /// - Throws: what is no ``DeviceError``, such as `CancellationError`.
    mutating func step(of settings: [String], _ send: () async throws -> Void) async throws {
        if let obstacle {
            return fail(settings, DeviceError("it was not sent, because \(obstacle) failed", mayPass: true))
        }
        do {
            try await send()
        } catch let error as DeviceError {
            fail(settings, error)
            if error.mayPass { obstacle = settings.joined(separator: ", ") }
        }
    }

    mutating func fail(_ settings: [String], _ error: DeviceError) {
        for setting in settings { failures[setting] = error }
    }
}
