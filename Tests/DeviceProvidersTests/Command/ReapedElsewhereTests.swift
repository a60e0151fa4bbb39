import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import DeviceProviders

@Suite("Children that somebody else has reaped", .timeLimit(.minutes(2))) struct ReapedElsewhereTests {
    private let folder = try! DeviceFolder()

    /// A process group that no child of this process leads, as if its number had been given away anew.
    private func strangersGroup() async throws -> pid_t {
        let script = try folder.script(
            "starter",
            """
            cd '\(folder.path)'
            setsid sh -c 'echo $$ >pid; exec sleep 600' </dev/null >/dev/null 2>&1 &
            while [ ! -s pid ]; do sleep 0.01; done
            """)
        _ = try await Launch(arguments: [script]).run()
        return try await folder.waitForPID("pid")
    }

    @Test("Nobody is sent a signal", arguments: [true, false]) func noSignal(areStreamsOpen: Bool) async throws {
        let stranger = try await strangersGroup()
        defer { _ = kill(stranger, SIGKILL) }
        var ends: [[CInt]] = []
        for _ in 0..<2 {
            var pair: [CInt] = [-1, -1]
            try #require(pipe(&pair) == 0)
            for end in pair { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            _ = fcntl(pair[0], F_SETFL, O_NONBLOCK)
            ends.append(pair)
        }
        if !areStreamsOpen { for pair in ends { close(pair[1]) } }
        let ending = Mutex<Child.Ending?>(nil)
        let child = Child(
            stranger, ChildStreams(output: ends[0][0], errors: ends[1][0]),
            Child.Handlers(output: { _ in }, errors: { _ in }, ended: { end in ending.withLock { $0 = end } }))
        try await waitUntil("the end") { ending.withLock { $0 != nil } }
        #expect(ending.withLock { $0 } == .unknown)
        child.terminate()
        // A signal would have come by now: the end by force of the group is sent before the end is told.
        #expect(isRunning(stranger))
        if areStreamsOpen { for pair in ends { close(pair[1]) } }
    }
}
