import Glibc
import Synchronization
import TestSupport
import Testing

@testable import DeviceProviders
@testable import SettingsBridge

@Suite("The log of plug-ins", .timeLimit(.minutes(2))) struct PluginLogTests {
    private final class Lines: LogSink {
        private let entries = Mutex<[LogEntry]>([])

        func write(_ entry: LogEntry) { entries.withLock { $0.append(entry) } }

        func of(_ accessory: String) -> [String] {
            entries.withLock { $0.filter { $0.source == accessory }.map { "\($0.level.rawValue) \($0.message)" } }
        }
    }

    private let lines = Lines()
    private let name = "lamp"
    private var log: Log { Log([(.debug, lines)]) }

    private func run(_ script: String, secrets: [String] = []) async {
        let plugin = Plugin(
            Launch(arguments: ["sh", "-c", "read -r line; \(script)"]), accessory: name,
            secrets: KnownSecrets(secrets), log: log)
        _ = await failure { _ = try await plugin.request(.read) }
    }

    @Test func itsStandardErrorGoesToTheLog() async throws {
        await run(#"printf 'warming up\n\033[1mhot, %s\n' pass-word >&2; printf 'half' >&2"#, secrets: ["pass-word"])
        try await waitUntil("the end in the log") { lines.of(name).contains { $0.hasPrefix("warning") } }
        #expect(
            lines.of(name) == [
                "info warming up", "info  [1mhot, <secret>", "info half",
                "warning plug-in sh: it ended with exit code 0: warming up |  [1mhot, <secret> | half; it is started again in 1 s",
            ])
    }

    @Test func whatItSaysWronglyGoesToTheLog() async throws {
        await run(#"echo "oops pass-word"; echo '{"id":7}'; echo '{"notice":1}'; printf '\n'"#, secrets: ["pass-word"])
        try await waitUntil("the end in the log") { lines.of(name).contains { $0.contains("started again") } }
        let begin = "warning plug-in sh: a line of its standard output "
        let logged = lines.of(name)
        #expect(logged.count == 5)
        #expect(logged[0].hasPrefix(begin + "is not JSON") && logged[0].hasSuffix(": oops <secret>"), "\(logged)")
        #expect(logged[1] == begin + "answers a request 7, which does not wait for an answer")
        #expect(
            logged[2] == begin + #"has neither a whole number "id" nor "notice": "changed": {"notice":1}"#)
        #expect(logged[3].hasSuffix("an empty line"))
    }

    @Test("What it said long ago is no reason of its end") func oldWords() {
        let now = ContinuousClock.now
        func reason(since request: ContinuousClock.Instant?) -> String? {
            var log = PluginLog(self.log, accessory: name, secrets: KnownSecrets())
            for (text, age) in [("hours ago\n", 9_000), ("asked\n", 20), ("late\n", 2)] {
                Array(text.utf8).withUnsafeBytes { log.takeErrors($0, at: now - .seconds(age)) }
            }
            return log.finish(since: request, at: now)
        }
        #expect(reason(since: nil) == "late")
        #expect(reason(since: now - .seconds(1)) == "late", "it may say why before it is asked again")
        #expect(reason(since: now - .seconds(30)) == "asked | late")
    }

    @Test("O10: a secret is in no line, also where lines are cut or it has several", arguments: [900, 2_500, 5_400])
    func longLines(_ length: Int) async throws {
        let secret = "pass-word\nof-two-lines"
        let filler = String(repeating: "-", count: length)
        for text in [filler + secret, filler + "\npass-word\n" + filler + #"pass-word\nof-two-lines"#] {
            var log = PluginLog(self.log, accessory: name, secrets: KnownSecrets([secret]))
            for byte in text.utf8 { withUnsafeBytes(of: byte) { log.takeErrors($0) } }
            _ = log.finish(since: nil)
        }
        let logged = lines.of(name)
        #expect(logged.count == 5)
        for word in ["pas", "word", "of", "two", "lines"] { #expect(!logged.contains { $0.contains(word) }) }
    }

    @Test func aFloodIsCut() async throws {
        await run("yes flood | head -n 5000 >&2")
        try await waitUntil("the flood to be cut") { lines.of(name).contains { $0.contains("lines are left out") } }
        #expect(lines.of(name).count <= 210)
    }

    @Test("Behind a flood of standard error it is still told why it ended") func theEndBehindAFlood() async throws {
        await run("yes flood | head -n 5000 >&2; exit 1")
        try await waitUntil("the end in the log") {
            lines.of(name).contains {
                $0.hasPrefix("warning plug-in sh: it ended with exit code 1: ")
                    && $0.hasSuffix("it is started again in 1 s")
            }
        }
    }

    @Test("A plug-in whose request was cancelled is not said to be late") func cancelled() async throws {
        let plugin = Plugin(
            Launch(arguments: ["sh", "-c", "read -r line; echo asked >&2; exec sleep 600"]), accessory: name, log: log)
        let request = Task { _ = await failure { _ = try await plugin.request(.read) } }
        try await waitUntil("the request") { lines.of(name).contains("info asked") }
        request.cancel()
        try await waitUntil("the end in the log") { lines.of(name).contains { $0.hasPrefix("warning") } }
        #expect(
            lines.of(name).last == "warning plug-in sh: the call was cancelled: asked; it is started again in 1 s")
        withExtendedLifetime(plugin) {}
    }

    /// Lets nobody go who writes a line to it, until it is opened.
    private final class ClosedGate: LogSink {
        private let state = Mutex((isReached: false, isOpen: false))

        var isReached: Bool { state.withLock { $0.isReached } }

        func open() { state.withLock { $0.isOpen = true } }

        func write(_ entry: LogEntry) {
            state.withLock { $0.isReached = true }
            let deadline = ContinuousClock.now.advanced(by: .seconds(60))
            while !state.withLock({ $0.isOpen }), ContinuousClock.now < deadline { usleep(1_000) }
        }
    }

    @Test("A cancellation does not wait for what is done with standard error") func cancelledMeanwhile() async throws {
        let gate = ClosedGate()
        defer { gate.open() }
        let plugin = Plugin(
            Launch(arguments: ["sh", "-c", "read -r line; echo hot >&2; exec sleep 600"]), accessory: name,
            log: Log([(.debug, gate)]))
        let isOver = Mutex(false)
        let request = Task.detached {
            _ = await failure { _ = try await plugin.request(.read) }
            isOver.withLock { $0 = true }
        }
        try await waitUntil("the line in the log") { gate.isReached }
        // Not here, where it would hold up the test.
        Task.detached { request.cancel() }
        try await waitUntil("the end of the request") { isOver.withLock { $0 } }
    }
}
