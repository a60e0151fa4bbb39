import SettingsBridge

/// Tries again what may pass by itself; never what the device refused.
struct Retry: Sendable, Equatable {
    /// How many times more than once.
    var count = 0

    init(count: Int = 0) {
        self.count = count
    }

    /// `"retries": 2`
    static func read(_ provider: SectionReader) -> Retry {
        Retry(count: provider.integer("retries", in: 0...10) ?? 0)
    }

    /// Runs the operation, and again after 0.5, 1, 2 … s while it fails with a ``DeviceError`` that may pass.
    func run<Result: Sendable>(_ operation: () async throws -> Result) async throws -> Result {
        for pause in pauses {
            do {
                return try await operation()
            } catch let error as DeviceError where error.mayPass {
                try await Task.sleep(for: pause)
            }
        }
        return try await operation()
    }

    /// What lies between one try and the next.
    var pauses: [Duration] {
        (0..<count).map { .milliseconds(500 << $0) }
    }
}
