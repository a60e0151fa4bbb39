import MQTT
import Testing

@testable import SettingsBridge

@Suite struct ConnectionReportTests {
    private let sink = CollectingSink()
    private let start = ContinuousClock.now

    private func report(_ events: [(after: Double, MQTTEvent)], isSweep: Bool = false) -> [String] {
        var report = ConnectionReport(log: Log([(.info, sink)]), isSweep: isSweep)
        for (seconds, event) in events { report.note(event, at: start.advanced(by: .seconds(seconds))) }
        return sink.lines
    }

    private func failed(_ text: String) -> MQTTEvent {
        .connectionFailed(MQTTConnectionFailure(.nobodyListens, text), retryIn: .seconds(1), attempt: 1)
    }

    private func lost(_ text: String) -> MQTTEvent {
        .disconnected(MQTTConnectionFailure(.connectionLost, text), retryIn: .seconds(1))
    }

    private let connected = MQTTEvent.connected(MQTTConnection(protocolVersion: .v5))

    @Test func `each failure is told once, then how long there was no connection`() {
        let lines = report([
            (0, connected), (10, lost("closed")), (11, failed("nobody listens")), (13, failed("unreachable")),
            (17, failed("nobody listens")), (25, failed("closed")), (52, connected),
        ])
        #expect(
            lines == [
                "info mqtt: connected with MQTT 5", "error mqtt: closed; connecting again in 1 s",
                "error mqtt: nobody listens; it is being tried again",
                "error mqtt: unreachable; it is being tried again",
                "info mqtt: connected with MQTT 5; there was no connection for 42 s",
            ])
    }

    @Test func `a failure that comes back is told again`() {
        #expect(report([(0, failed("no")), (1, connected), (2, lost("closed")), (3, failed("no"))]).count == 4)
    }

    @Test func `a sweep tells of its connection only where it had to wait`() {
        #expect(report([(0, connected)], isSweep: true) == [])
        #expect(
            report([(0, failed("nobody listens")), (200, connected)], isSweep: true) == [
                "error mqtt: nobody listens; it is being tried again",
                "info mqtt: the broker speaks MQTT 5; there was no connection for 3 min",
            ])
    }
}
