import AccessorySettings
import Foundation

/// How a simulated device answers.
struct SimulatedContext: HomeAccessorySettingsContext, Sendable {
    /// How long each read and each write takes.
    var delay: Duration
    /// Which part of the reads and writes fails, from 0 to 1.
    var failureRate: Double

    /// Lets the time pass that the device needs.
    ///
    /// - Throws: ``SimulatedFailure`` as often as `failureRate` says; `CancellationError` when the caller gave up.
    func answer() async throws {
        if delay > .zero { try await Task.sleep(for: delay) }
        if failureRate > 0, Double.random(in: 0..<1) < failureRate { throw SimulatedFailure() }
    }
}

struct SimulatedFailure: Error, CustomStringConvertible {
    var description: String { "the simulated device failed, as its failure_rate asks for" }
}

/// The devices of one model, by the accessory's identifier. Their states live as long as the process.
@MainActor final class SimulatedDevices<State> {
    private let initial: State
    private var states: [UUID: State] = [:]

    init(startingAs initial: State) {
        self.initial = initial
    }

    subscript(identifier: UUID) -> State {
        get { states[identifier] ?? initial }
        set { states[identifier] = newValue }
    }
}
