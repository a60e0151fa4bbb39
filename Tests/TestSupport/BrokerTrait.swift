public import Testing

extension Broker {
    /// The broker of the suite that runs, see ``BrokerTrait``.
    @TaskLocal public static var ofSuite: Broker?
}

/// Gives the tests of a suite one broker, started before the first of them and gone after the last.
public struct BrokerTrait: SuiteTrait, TestScoping {
    @concurrent public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await withBroker { broker in
            try await Broker.$ofSuite.withValue(broker) { try await function() }
        }
    }
}

extension Trait where Self == BrokerTrait {
    /// One broker for the suite, as `Broker.ofSuite`.
    public static var broker: Self { BrokerTrait() }
}
