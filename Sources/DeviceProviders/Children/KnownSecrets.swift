import Synchronization

/// The secrets that a program was told, and may repeat in what it says.
final class KnownSecrets: Sendable {
    private static let remembered = 20

    private struct State {
        var redaction: Redaction
        /// Values of settings with `secret`, the last one at the end.
        var written: [String] = []
    }

    private let configured: [String]
    private let state: Mutex<State>

    init(_ configured: [String] = []) {
        self.configured = configured
        state = Mutex(State(redaction: Redaction(configured)))
    }

    /// Hides what is about to be written to settings with `secret`. The bridge forgets it again after some others.
    func add(_ values: [String]) {
        guard !values.isEmpty else { return }
        state.withLock { state in
            guard state.written.suffix(values.count) != values[...] else { return }
            let others = state.written.filter { !values.contains($0) }
            state.written = others.suffix(Self.remembered) + values
            state.redaction = Redaction(configured + state.written)
        }
    }

    /// Hides all of them.
    var redaction: Redaction { state.withLock { $0.redaction } }
}

extension KnownSecrets {
    /// Hides what changes are about to tell settings with `secret`.
    func add(_ changes: [DeviceChange], of settings: [DeclaredSetting]) {
        add(
            changes.filter { change in settings.contains { $0.id == change.setting && $0.isSecret } }
                .compactMap(\.value.text))
    }
}
