import AccessorySettings
import Testing

@MainActor @Suite struct SimulatedAnswerTests {
    @Test func `with a failure rate of 1 every read fails`() async throws {
        let device = try SimulatedDevice(#""model": "lamp", "failure_rate": 1"#)
        let error = await #expect(throws: (any Error).self) { try await device.read() }
        #expect(error.map { "\($0)" } == "the simulated device failed, as its failure_rate asks for")
    }

    @Test func `a failed write changes nothing`() async throws {
        let good = try SimulatedDevice(#""model": "lamp""#, id: "failing lamp")
        let bad = try SimulatedDevice(#""model": "lamp", "failure_rate": 1"#, id: "failing lamp")
        let before = try await good.read()
        await #expect(throws: (any Error).self) { try await bad.change(["note": .text("never")], of: before) }
        #expect(try await good.read() == before)
    }

    @Test(.timeLimit(.minutes(1))) func `a call that takes long ends when it is cancelled`() async throws {
        let device = try SimulatedDevice(#""model": "thermostat", "delay": "1h""#)
        let call = Task { try await device.read() }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
    }
}
