import Synchronization

/// The environment variables that secrets are taken from, wherever they stand in a configuration.
///
/// One set for the whole process, like the environment itself, and it only grows: an accessory that a reload leaves as it
/// was starts programs later, and those may not find the variable of an accessory that came with the reload either.
package enum SecretVariables {
    private static let found = Mutex<Set<String>>([])

    package static func contains(_ name: String) -> Bool {
        found.withLock { $0.contains(name) }
    }

    static func insert(_ name: String) {
        found.withLock { _ = $0.insert(name) }
    }
}
