import Foundation
import TestSupport
import Testing

/// `settings2mqtt demo`
@Suite(.timeLimit(.minutes(2)), .enabled(if: Broker.isAvailable)) struct DemoTests {
    @Test(arguments: [Program.settings2mqtt, .thermostatExtension])
    func `the printed commands work when pasted, and a signal ends bridge and broker`(
        _ program: Program
    ) async throws {
        let demo = try program.start(["demo"])
        let port = try await port(of: demo)
        _ = try await read("settings2mqtt/hallway/availability", port)
        let commands = demo.lines.map { $0.trimmingCharacters(in: .whitespaces) }
        let answers = try ChildProcess(
            "mosquitto_sub", ["-p", port, "-t", "settings2mqtt/bridge/response/set", "-C", "1", "-W", "20"])
        let publishing = commands.filter { $0.hasPrefix("mosquitto_pub ") }
        #expect(publishing.count == 3)
        #expect(commands.contains("mosquitto_sub -p \(port) -t 'settings2mqtt/#' -v"))
        let listing = try #require(commands.first { $0.hasSuffix(" list --server mqtt://127.0.0.1:\(port)") })
        #expect(
            try await run("sh", ["-c", listing]).contains { $0.hasPrefix("hallway ") && $0.contains("target_temp") })
        for command in publishing { try await run("sh", ["-c", command]) }
        for (setting, value) in [("target_temp", "21.5"), ("eco", "ON"), ("fan_speed", "high")] {
            try await waitUntil("\(setting) to be \(value)") {
                try await read("settings2mqtt/hallway/\(setting)", port) == value
            }
        }
        // The subscriber may have come after the answer; a refused command is refused as often as it is sent.
        while !answers.hasEnded { try await run("sh", ["-c", publishing[2]]) }
        #expect(answers.lines.first?.contains("out_of_range") == true)

        demo.signal(SIGINT)
        #expect(try await demo.end(within: .seconds(5)) == 0)
        try await waitUntil("the broker to end") { try await !isListening(port) }
    }

    @Test func `the broker ends with the demo, however that ends`() async throws {
        let demo = try Program.settings2mqtt.start(["demo"])
        let port = try await port(of: demo)
        #expect(try await isListening(port))
        demo.kill()
        try await waitUntil("the broker to end") { try await !isListening(port) }
    }

    private func port(of demo: ChildProcess) async throws -> String {
        try await demo.waitForLine("starts:")
        let match = demo.lines.lazy.compactMap { $0.firstMatch(of: #/127\.0\.0\.1, port (\d+)/#) }.first
        return String(try #require(match).output.1)
    }

    /// The retained message on a topic, as soon as there is one.
    private func read(_ topic: String, _ port: String) async throws -> String? {
        try await run("mosquitto_sub", ["-p", port, "-t", topic, "-C", "1", "-W", "20"]).first
    }

    private func isListening(_ port: String) async throws -> Bool {
        let process = try ChildProcess("mosquitto_pub", ["-p", port, "-t", "test", "-n"])
        return try await process.end() == 0
    }
}
