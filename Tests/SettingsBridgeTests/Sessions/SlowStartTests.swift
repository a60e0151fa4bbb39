import AccessorySettings
import Foundation
import Testing

@testable import SettingsBridge

/// A session whose filters take their time.
@Suite struct SlowStartTests {
    private struct Output: SessionOutput {
        let sink: CollectingSink

        func publish(_ change: AccessoryChange) {}
        func answer(_ answer: Answer) {}
        func log(_ level: LogLevel, accessory: String, _ message: String) {
            sink.write(LogEntry(time: Date(), level: level, source: accessory, message: message))
        }
    }

    @Test func `filters that take long are named, and when they are done`() async {
        let device = FakeDevice()
        var configuration = AccessoryConfiguration(id: "lr-thermo")
        configuration.timeout = .milliseconds(50)
        let sink = CollectingSink()
        let late = "error lr-thermo: its filters and providers are still being made after 50 ms"
        let candidates = { @MainActor @Sendable in
            // They are asked on the main actor, so that those that take long block it.
            for _ in 0..<5_000 where sink.lines.isEmpty { usleep(1_000) }
            return [device.settings()]
        }
        let session = AccessorySession(configuration, candidates: candidates, output: Output(sink: sink))
        await session.start()
        #expect(sink.lines.prefix(2) == [late, "info lr-thermo: its filters and providers are made now"])
        session.abandon()
    }
}
