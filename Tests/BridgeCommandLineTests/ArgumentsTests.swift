import Testing

@testable import BridgeCommandLine

@Suite struct ArgumentsTests {
    @Test(arguments: [
        ("run", Command.run(configuration: nil)),
        ("run -c a.json", .run(configuration: "a.json")),
        ("run --config a.json", .run(configuration: "a.json")),
        ("run --config=a.json", .run(configuration: "a.json")),
        ("run --config=a=b.json", .run(configuration: "a=b.json")),
        ("check", .check(configuration: nil, topics: false, probe: false)),
        ("check -c a.json --topics", .check(configuration: "a.json", topics: true, probe: false)),
        ("check --probe", .check(configuration: nil, topics: false, probe: true)),
        ("check --topics -c a.json", .check(configuration: "a.json", topics: true, probe: false)),
        ("demo", .demo),
        ("--help", .help(nil)),
        ("-h", .help(nil)),
        ("run --help", .help(.run)),
        ("run -c a.json -h", .help(.run)),
        ("check --topics --help", .help(.check)),
        ("demo -h", .help(.demo)),
        ("--version", .version),
        ("run --version", .version),
        ("check -c a.json --version", .version),
        ("run -c a.json --", .run(configuration: "a.json")),
    ])
    func `arguments that make sense`(_ line: String, _ expected: Command) throws {
        #expect(try Command(line.split(separator: " ").map(String.init)) == expected)
    }

    @Test(arguments: [
        ("", "a command is missing: run, check, demo, list, get, set, watch, healthcheck"),
        ("chekc", "unknown command 'chekc'; did you mean 'check'?"),
        (
            "fly",
            "unknown command 'fly'; the commands are run, check, demo, list, get, set, watch, healthcheck"
        ),
        ("--hepl", "unknown option '--hepl'; did you mean '--help'?"),
        ("--topics", "unknown option '--topics'; options stand behind the command"),
        ("-c a.json run", "unknown option '-c'; options stand behind the command"),
        ("run --topics", "unknown option '--topics'"),
        ("run --confg a.json", "unknown option '--confg'; did you mean '--config'?"),
        ("run --verbose", "unknown option '--verbose'"),
        ("run -c", "-c needs the path of a configuration file"),
        ("run --config=", "--config needs the path of a configuration file"),
        ("run -c --help", "-c needs the path of a configuration file"),
        ("run -c a.json -c b.json", "-c is given twice"),
        ("run a.json", "unexpected argument 'a.json'"),
        ("run -- --help", "unexpected argument '--help'"),
        ("check --topic", "unknown option '--topic'; did you mean '--topics'?"),
        ("check --topics=yes", "--topics takes no value"),
        ("demo -c a.json", "unknown option '-c'"),
        ("demo now", "unexpected argument 'now'"),
    ])
    func `arguments that make no sense are answered with what would be right`(_ line: String, _ sentence: String) {
        let error = #expect(throws: UsageError.self) { try Command(line.split(separator: " ").map(String.init)) }
        #expect(error?.message == sentence)
    }
}
