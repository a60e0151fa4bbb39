import Foundation
import TestSupport
import Testing

/// `settings2mqtt watch`
@Suite(.broker, .timeLimit(.minutes(3)), .enabled(if: Broker.isAvailable)) struct WatchTests {
    /// Starts the command and waits until the broker has its last subscription.
    ///
    /// - Parameter filter: that subscription, below the base topic.
    private func watch(_ bridge: RunningBridge, _ arguments: String..., filter: String) async throws -> ChildProcess {
        let process = try Program.settings2mqtt.start(["watch", "-c", bridge.path] + arguments)
        try await bridge.broker.waitForLog("\(bridge.base)/\(filter) (QoS 0)")
        return process
    }

    /// The lines without their times.
    private func changes(_ process: ChildProcess) -> [String] {
        process.lines.map { line in
            let (time, rest) = (line.prefix { $0 != " " }, line.drop { $0 != " " }.dropFirst())
            return time.wholeMatch(of: #/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/#) == nil ? line : String(rest)
        }
    }

    @Test(arguments: ["5", "3.1.1"])
    func `it sees what set changes, and that the bridge goes; Ctrl-C ends it with 0`(_ version: String) async throws {
        let broker = try #require(Broker.ofSuite)
        try await withRunningBridge(broker, base: "all/\(version)", version: version) { bridge in
            let everything = try await watch(bridge, filter: "+/+/availability")
            let vent = try await watch(bridge, "vent", filter: "vent/+/availability")
            let eco = try await watch(bridge, "hallway", "eco", "--json", filter: "hallway/eco/availability")
            #expect(try await bridge.ask("set", "hallway", "eco", "ON").status == 0)
            #expect(try await bridge.ask("set", "hallway", "eco", "ON").status == 0, "which changes nothing")
            #expect(try await bridge.ask("set", "vent", "offset", "-12").status == 0)
            try await everything.waitForLine("vent offset -12")
            try await vent.waitForLine("vent offset -12")
            try await bridge.stop()
            for process in [everything, vent] { try await process.waitForLine("(bridge offline)") }
            try await eco.waitForLine(#""bridge":"offline""#)
            for process in [everything, vent, eco] {
                #expect(!process.hasEnded)
                process.signal(SIGINT)
                #expect(try await process.end(within: .seconds(5)) == 0)
            }
            #expect(
                Set(changes(everything)).isSuperset(of: [
                    "hallway eco ON", "hallway boost_minutes (unavailable)", "hallway humidity (unreadable or empty)",
                    "vent offset -12", "(bridge offline)",
                ]))
            #expect(changes(everything).count { $0 == "hallway eco ON" } == 1)
            #expect(!changes(everything).contains("hallway eco OFF"), "what is retained at first is no change")
            #expect(changes(vent) == ["vent offset -12", "(bridge offline)"])
            #expect(eco.lines.count == 2)
            #expect(eco.lines[0].hasSuffix(#"Z","accessory":"hallway","setting":"eco","value":"ON"}"#))
        }
    }

    @Test func `it goes on when the broker restarts, and tells what changed meanwhile`() async throws {
        try await withBroker(configuration: "persistence false") { broker in
            func publish(_ topic: String, _ payload: String) async throws {
                try await broker.publish(topic: "s/\(topic)", payload: payload, retain: true)
            }
            try await publish("bridge/state", "online")
            try await publish("a%2Fb/%73et", "1")
            let process = try Program.settings2mqtt.start([
                "watch", "--server", "mqtt://127.0.0.1:\(broker.port)", "--base-topic", "s",
            ])
            try await broker.waitForLog("Sending SUBACK to settings2mqtt-cli-")
            try await publish("a%2Fb/%73et", "2")
            try await process.waitForLine("a/b set 2")
            broker.stop()
            try await process.waitForLine("connecting again")
            try await broker.start()
            try await publish("a%2Fb/%73et", "3")
            try await process.waitForLine("a/b set 3")
            process.signal(SIGTERM)
            #expect(try await process.end(within: .seconds(5)) == 0)
        }
    }

    @Test func `it says what may never come`() async throws {
        let broker = try #require(Broker.ofSuite)
        try await withRunningBridge(broker, base: "doubt") { bridge in
            let attic = try bridge.start("watch", "attic")
            try await attic.waitForLine("settings2mqtt: attic: there is no accessory of this name so far")
            let nope = try bridge.start("watch", "hallway", "nope")
            try await nope.waitForLine("settings2mqtt: hallway: there is no setting nope so far")
            let elsewhere = try bridge.start("watch", "--base-topic", "nowhere")
            try await elsewhere.waitForLine("no bridge has said on nowhere/bridge/state")
            for process in [attic, nope, elsewhere] { #expect(!process.hasEnded) }
        }
    }

    @Test func `it ends when nobody reads on`() async throws {
        let broker = try #require(Broker.ofSuite)
        try await withRunningBridge(broker, base: "pipe") { bridge in
            let pipe = try ChildProcess(
                "sh", ["-c", #""$0" watch -c "$1" vent | head -n 1"#, Program.settings2mqtt.path, bridge.path])
            try await waitUntil("the change to be seen") {
                _ = try await bridge.ask("set", "vent", "offset", "\(Int.random(in: -20...20))")
                return pipe.hasEnded
            }
            #expect(pipe.waitForStatus() == 0)
            #expect(pipe.lines.count == 1)
        }
    }
}
