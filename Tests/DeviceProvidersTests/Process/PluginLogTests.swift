import Foundation
import Synchronization
import TestSupport
import Testing

@testable import DeviceProviders
@testable import SettingsBridge

/// Serialized, since there is one log for all providers.
@Suite("The log of plug-ins", .serialized, .timeLimit(.minutes(2))) struct PluginLogTests {
    private final class Lines: LogSink {
        private let entries = Mutex<[LogEntry]>([])

        func write(_ entry: LogEntry) { entries.withLock { $0.append(entry) } }

        func of(_ accessory: String) -> [String] {
            entries.withLock { $0.filter { $0.source == accessory }.map { "\($0.level.rawValue) \($0.message)" } }
        }
    }

    private let lines = Lines()
    private let name = "lamp-\(UUID().uuidString)"

    init() { ProviderLog.write(to: Log([(.debug, lines)])) }

    private func run(_ script: String, secrets: [String] = []) async {
        let plugin = Plugin(
            Launch(arguments: ["sh", "-c", "read -r line; \(script)"]), accessory: name, secrets: secrets)
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

    @Test func aFloodIsCut() async throws {
        await run("yes flood | head -n 5000 >&2")
        try await waitUntil("the flood to be cut") { lines.of(name).contains { $0.contains("lines are left out") } }
        #expect(lines.of(name).count <= 210)
    }
}
