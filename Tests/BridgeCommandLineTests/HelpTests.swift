import Testing

@testable import BridgeCommandLine

@Suite struct HelpTests {
    @Test(arguments: [nil] + Command.Verb.allCases, ["settings2mqtt", "ThermostatExtension"])
    func `help fits a terminal of 80 columns`(_ verb: Command.Verb?, _ program: String) {
        let text = Help(program).text(for: verb)
        for line in text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
        #expect(text.hasSuffix("\n"))
        #expect(text.contains("Usage: \(program)"))
    }

    @Test func `the overview names every command`() {
        for verb in Command.Verb.allCases {
            #expect(Help("settings2mqtt").text(for: nil).contains("\n  \(verb.rawValue) "))
        }
    }

    @Test(arguments: [("run --bogus", "See 'x run --help'."), ("bogus", "See 'x --help'.")])
    func `wrong usage points to the help that fits`(_ line: String, _ hint: String) {
        let error = #expect(throws: UsageError.self) { try Command(line.split(separator: " ").map(String.init)) }
        #expect(error.map(Help("x").hint) == hint)
    }
}
