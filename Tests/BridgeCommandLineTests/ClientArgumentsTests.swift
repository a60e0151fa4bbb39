import Testing

@testable import BridgeCommandLine

/// The arguments of the commands that talk to a running bridge.
@Suite struct ClientArgumentsTests {
    private static func parse(_ line: String) throws -> (ClientCommand, ClientOptions) {
        let command = try Command(line.split(separator: " ").map { $0 == "''" ? "" : String($0) })
        guard case .client(let client, let options) = command else {
            throw UsageError(message: "not for a bridge: \(command)")
        }
        return (client, options)
    }

    @Test(arguments: [
        ("list", ClientCommand.list(accessory: nil)),
        ("list hallway", .list(accessory: "hallway")),
        ("get hallway", .get(accessory: "hallway", setting: nil)),
        ("get hallway eco", .get(accessory: "hallway", setting: "eco")),
        ("get -- -x -y", .get(accessory: "-x", setting: "-y")),
        ("watch", .watch(accessory: nil, setting: nil)),
        ("watch hallway", .watch(accessory: "hallway", setting: nil)),
        ("watch hallway eco", .watch(accessory: "hallway", setting: "eco")),
        ("healthcheck", .healthcheck),
    ])
    func `what is asked`(_ line: String, _ expected: ClientCommand) throws {
        #expect(try Self.parse(line).0 == expected)
    }

    @Test(arguments: [
        ("set vent offset -12", ["offset": "-12"]),
        ("set hallway eco ON", ["eco": "ON"]),
        ("set hallway eco=ON", ["eco": "ON"]),
        ("set hallway eco=ON target_temp=21.5 note=", ["eco": "ON", "target_temp": "21.5", "note": ""]),
        ("set vent offset=-12 -x=-1", ["offset": "-12", "-x": "-1"]),
        ("set hallway note a=b=c", ["note": "a=b=c"]),
        ("set hallway note=a=b=c", ["note": "a=b=c"]),
        ("set hallway a=b c", ["a=b": "c"]),
        ("set hallway a=b c=d", ["a": "b", "c": "d"]),
        ("set hallway note ''", ["note": ""]),
        ("set hallway note -", ["note": "-"]),
        ("set hallway note -c", ["note": "-c"]),
        ("set hallway note -h", ["note": "-h"]),
        ("set hallway note --verbose", ["note": "--verbose"]),
        ("set hallway note -- --json", ["note": "--json"]),
        ("set hallway -- note --", ["note": "--"]),
        ("set hallway -- --json=1 --json2=2", ["--json": "1", "--json2": "2"]),
    ])
    func `new values are any words`(_ line: String, _ expected: [String: String]) throws {
        guard case .set(_, let changes) = try Self.parse(line).0 else { throw UsageError(message: "not a set") }
        #expect(Dictionary(uniqueKeysWithValues: changes.map { ($0.setting, $0.value) }) == expected)
    }

    @Test func `changes keep their order`() throws {
        let (command, _) = try Self.parse("set hallway b=1 a=2 c=3")
        #expect(
            command
                == .set(
                    accessory: "hallway",
                    [
                        SettingChange(setting: "b", value: "1"), SettingChange(setting: "a", value: "2"),
                        SettingChange(setting: "c", value: "3"),
                    ]))
    }

    @Test(arguments: [
        "set --json vent offset -12", "set vent --json offset -12", "set vent offset --json -12",
        "set vent offset -12 --json", "set vent offset=-12 --json",
    ])
    func `options stand anywhere`(_ line: String) throws {
        let (command, options) = try Self.parse(line)
        #expect(command == .set(accessory: "vent", [SettingChange(setting: "offset", value: "-12")]))
        #expect(options.isJSON)
    }

    @Test func `what a command is told about the bridge`() throws {
        let line =
            "get hallway --server mqtts://b:1 -c a.json --user=u --base-topic home --password-file p --ca c eco --timeout 1.5"
        let (command, options) = try Self.parse(line)
        #expect(command == .get(accessory: "hallway", setting: "eco"))
        #expect(
            options
                == ClientOptions(
                    configuration: "a.json",
                    broker: [
                        .server: "mqtts://b:1", .user: "u", .baseTopic: "home", .passwordFile: "p", .authorities: "c",
                    ], isJSON: false, timeout: .seconds(1.5)))
    }

    @Test(arguments: [
        ("list", 30.0), ("healthcheck", 5), ("list --timeout 5s", 5), ("list --timeout=2m", 120),
        ("healthcheck --timeout 250ms", 0.25), ("get a --timeout 1h", 3600),
    ])
    func `how long it waits`(_ line: String, _ seconds: Double) throws {
        #expect(try Self.parse(line).1.timeout == .seconds(seconds))
    }

    @Test(arguments: [
        ("get", "get needs an accessory: get ACC [SET]"),
        ("get a b c", "unexpected argument 'c'"),
        ("get ''", "an argument is empty: neither an accessory nor a setting is"),
        ("get hallway -12", "unknown option '-12'"),
        ("list a b", "unexpected argument 'b'"),
        ("watch a b c", "unexpected argument 'c'"),
        ("watch --timeout 5", "unknown option '--timeout'"),
        ("healthcheck now", "unexpected argument 'now'"),
        ("healthcheck --json", "unknown option '--json'"),
        ("list --jsno", "unknown option '--jsno'; did you mean '--json'?"),
        ("list --json=1", "--json takes no value"),
        ("list --server", "--server needs the broker's address, such as mqtt://localhost:1883"),
        ("list --server --json", "--server needs the broker's address, such as mqtt://localhost:1883"),
        ("list --server= --json", "--server needs the broker's address, such as mqtt://localhost:1883"),
        ("list --user a --user b", "--user is given twice"),
        ("list --password secret", "unknown option '--password'; did you mean '--password-file'?"),
        ("list --timeout", "--timeout needs a time, such as 5s or 1m"),
        ("list --timeout soon", "--timeout takes 100ms to 1h; got 'soon'"),
        ("list --timeout 0", "--timeout takes 100ms to 1h; got '0'"),
        ("list --timeout 2h", "--timeout takes 100ms to 1h; got '2h'"),
        ("set", "set needs an accessory, a setting and a value: set ACC SET VALUE"),
        ("set '' eco ON", "set needs an accessory, a setting and a value: set ACC SET VALUE"),
        ("set hallway", "set needs a setting and a value: set ACC SET VALUE"),
        ("set hallway eco", "set needs a setting and a value: set ACC SET VALUE"),
        ("set hallway '' ON", "'' is not SET=VALUE; a value of several words needs quotes"),
        ("set hallway =ON", "set needs a setting and a value: set ACC SET VALUE"),
        ("set hallway note a text", "'note' is not SET=VALUE; a value of several words needs quotes"),
        ("set hallway eco=ON mode heat", "'mode' is not SET=VALUE"),
        ("set hallway eco=ON eco=OFF", "eco is given twice"),
        ("set hallway eco ON --jsno", "'--jsno' is not SET=VALUE; did you mean '--json'?"),
        ("set hallway eco ON -c a.json", "behind the accessory write --config for -c"),
        ("set --jsno hallway eco ON", "unknown option '--jsno'; did you mean '--json'?"),
    ])
    func `what makes no sense is answered with what would be right`(_ line: String, _ sentence: String) {
        let error = #expect(throws: UsageError.self) { try Self.parse(line) }
        #expect(error?.message == sentence)
    }

    @Test(arguments: [
        ("set hallway eco --help", Command.help(.set)), ("set hallway --version", .version), ("get -h", .help(.get)),
        ("healthcheck --timeout 3 --help", .help(.healthcheck)),
    ])
    func `help is everywhere`(_ line: String, _ expected: Command) throws {
        #expect(try Command(line.split(separator: " ").map(String.init)) == expected)
    }
}
