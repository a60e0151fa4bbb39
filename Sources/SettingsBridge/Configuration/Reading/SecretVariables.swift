import Synchronization

/// The environment variables that the secrets of one configuration are taken from, wherever they stand in it.
///
/// Readers of a section hold on to it: it is complete once the whole configuration is read.
package final class SecretVariables: Sendable {
    private let found = Mutex<Set<String>>([])

    package init() {}

    package func contains(_ name: String) -> Bool {
        found.withLock { $0.contains(name) }
    }

    func insert(_ name: String) {
        found.withLock { _ = $0.insert(name) }
    }
}
