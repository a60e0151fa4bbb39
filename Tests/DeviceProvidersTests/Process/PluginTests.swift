import AccessorySettings
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import DeviceProviders
@testable import SettingsBridge

@MainActor @Suite("Plug-ins", .timeLimit(.minutes(2))) struct PluginTests {
    private let folder = try! DeviceFolder()

    /// A plug-in in shell. It has `$id` and `$line` for each request, and `ask` to tell what was asked.
    private func plugin(
        describe: String = #"{\"level\":{\"kind\":\"range\",\"integer\":true}}"#,
        read: String = #"say "{\"id\":$id,\"values\":{\"level\":7}}""#, write: String = #"say "{\"id\":$id}""#,
        atStart: String = ""
    ) throws -> String {
        try folder.script(
            "plugin",
            """
            cd "\(folder.path)"
            echo $$ >>starts
            say() { printf '%s\\n' "$1"; }
            \(atStart)
            while read -r line; do
                id=${line#'{"id":'}
                id=${id%%,*}
                printf '%s\\n' "$line" >>requests
                case $line in
                *'"request":"describe"'*) say "{\\"id\\":$id,\\"settings\\":\(describe)}" ;;
                *'"request":"read"'*) \(read) ;;
                *'"request":"write"'*) \(write) ;;
                esac
            done
            echo end >end
            """)
    }

    private func accessory(_ plugin: String, more: String = "") throws -> DeclaredAccessory {
        try DeclaredAccessory(#"{ "type": "process", "command": ["\#(plugin)"] \#(more) }"#)
    }

    private var starts: [pid_t] {
        (folder.text("starts") ?? "").split(separator: "\n").compactMap { pid_t($0) }
    }

    @Test func itsSettingsAreReadAndWritten() async throws {
        let device = try accessory(plugin())
        let settings = try await device.settings()
        #expect(settings.map(\.id) == ["level"])
        #expect(settings[0].descriptor.kind == .range(RangeDescriptor(step: 1, isInteger: true)))
        #expect(settings[0].value == .number(7))
        try await device.write(["level": .number(21)], as: settings)
        #expect(try await device.values() == ["level": .number(7)])
        #expect(
            folder.text("requests") == """
                {"id":1,"request":"describe"}
                {"id":2,"request":"read"}
                {"id":3,"request":"write","changes":{"level":21}}
                {"id":4,"request":"read"}

                """)
        #expect(starts.count == 1)
    }

    @Test func settingsMayStandInTheConfiguration() async throws {
        let device = try accessory(
            plugin(read: #"say "{\"id\":$id,\"values\":{\"power\":\"1\",\"other\":[1]}}""#),
            more: #", "settings": { "power": { "kind": "toggle", "on": "1", "off": "0" }, "mode": { "kind": "text" } }"#
        )
        #expect(try await device.values() == ["power": .toggle(true)])
        try await device.write(["power": .toggle(false)])
        #expect(folder.text("requests")?.contains("describe") == false)
        #expect(folder.text("requests")?.contains(#""changes":{"power":"0"}"#) == true)
    }

    @Test("A written value is one string of JSON on one line, whatever it holds", arguments: CommandWritingTests.nasty)
    func injection(_ value: String) async throws {
        let device = try accessory(plugin(describe: #"{\"level\":{\"kind\":\"text\"}}"#))
        try await device.write(["level": .text(value)])
        let line = try #require(folder.text("requests")?.split(separator: "\n").last)
        let request = try JSONValue.parse(Array(line.utf8))
        #expect(
            request
                == .object([
                    "id": .integer(3), "request": .string("write"), "changes": .object(["level": .string(value)]),
                ]))
        #expect(folder.text("pwned") == nil)
    }

    @Test func aNoticeIsAChange() async throws {
        let device = try accessory(plugin(write: #"say '{"notice":"changed"}'; say "{\"id\":$id}""#))
        var changes = try #require(device.changes).makeAsyncIterator()
        try await device.write(["level": .number(1)])
        #expect(await changes.next() != nil)
    }

    @Test("Deeply nested lines harm nothing", arguments: [500, 5_000, 500_000]) func nesting(_ depth: Int) async throws
    {
        let device = try accessory(
            plugin(
                read: """
                    nest() { head -c \(depth) /dev/zero | tr '\\0' "$1"; }
                    printf '{"a":%s%s}\\n' "$(nest '[')" "$(nest ']')"
                    say "{\\"id\\":$id,\\"values\\":{\\"level\\":3}}"
                    """))
        #expect(try await device.values() == ["level": .number(3)])
    }

    @Test func aFloodOfNoticesIsFewChangesAndTheLastIsNotLost() async throws {
        let device = try accessory(
            plugin(write: #"yes '{"notice":"changed"}' | head -n 2000; say "{\"id\":$id}""#))
        let changes = try #require(device.changes)
        let counting = Task {
            var count = 0
            for await _ in changes { count += 1 }
            return count
        }
        for _ in 0..<3 { try await device.write(["level": .number(1)]) }
        counting.cancel()
        let count = await counting.value
        #expect((1..<500).contains(count))
    }

    @Test func noSecretComesBack() async throws {
        let device = try DeclaredAccessory(
            """
            { "type": "process", "command": ["\(plugin(
                describe: #"{\"key\":{\"kind\":\"text\",\"secret\":true}}"#, read: #"say "{\"id\":$id,\"values\":{}}""#,
                write: #"said=${line##*:?}; say "{\"id\":$id,\"error\":\"$TOKEN is no friend of ${said%???}\"}""#
            ))"], "environment": { "TOKEN": "token-123" } }
            """)
        let settings = try await device.settings()
        #expect(settings.map(\.value) == [nil])
        #expect(
            await failure { try await device.write(["key": .text("pass")], as: settings) }
                == "plug-in plugin: <secret> is no friend of <secret>")
    }

    @Test(
        "O10: no sentence about its answers holds a secret",
        arguments: [
            (#"{\"x\":{\"kind\":\"range\"}}"#, #"{\"$TOKEN\":1}"#, "reads '<secret>', which it did not describe"),
            (
                #"{\"x\":{\"kind\":\"range\"}}"#, #"{\"x\":\"a $TOKEN\"}"#,
                "reads x: 'a <secret>' is no value of a range"
            ),
            (
                #"{\"x\":{\"kind\":\"$TOKEN\"}}"#, "{}",
                "describes its settings wrongly: settings.x.kind must be one of toggle, range, enumeration, text, information, found '<secret>'"
            ),
            (
                #"{\"x\":{\"kind\":\"range\",\"a long key before the secret is long: $TOKEN\":1}}"#, "{}",
                "describes its settings wrongly: settings.x unknown key 'a long key before the secret is long: <s…'"
            ),
        ])
    func secretsInAnswers(_ description: String, _ values: String, _ reason: String) async throws {
        let device = try accessory(
            plugin(describe: description, read: #"say "{\"id\":$id,\"values\":\#(values)}""#),
            more: #", "environment": { "TOKEN": "token-123" }"#)
        let sentence = await failure { _ = try await device.settings() }
        #expect(sentence.hasPrefix("plug-in plugin \(reason)"), "\(sentence)")
        #expect(!sentence.contains("tok"))
    }

    @Test func itSaysWhichSettingsFailed() async throws {
        let settings = #"{\"a\":{\"kind\":\"range\"},\"b\":{\"kind\":\"range\"}}"#
        func failed(_ answer: String) async throws -> [String: String] {
            let device = try DeclaredAccessory(
                """
                { "type": "process", "environment": { "TOKEN": "token-123" }, "command": ["\(plugin(
                    describe: settings, read: #"say "{\"id\":$id,\"values\":{}}""#, write: answer))"] }
                """)
            return try await failedSettings { try await device.write(["a": .number(1), "b": .number(2)]) }
        }
        #expect(
            try await failed(#"say "{\"id\":$id,\"errors\":{\"a\":\"$TOKEN is too hot\",\"b\":null}}""#)
                == ["a": "plug-in plugin: <secret> is too hot"])
        let wrong = "plug-in plugin answered 'write' with 'errors' that are no object of sentences by changed setting"
        #expect(try await failed(#"say "{\"id\":$id,\"errors\":[]}""#) == ["a": wrong, "b": wrong])
        #expect(try await failed(#"say "{\"id\":$id,\"errors\":{\"c\":\"?\"}}""#) == ["a": wrong, "b": wrong])
    }

    @Test func itSaysItselfWhyItFails() async throws {
        let device = try accessory(
            plugin(
                read: #"say "{\"id\":$id,\"error\":\"the lamp is away\"}""#,
                write: #"say "{\"id\":$id,\"error\":\"too hot\"}""#))
        #expect(await failure { _ = try await device.settings() } == "plug-in plugin: the lamp is away")
        let level = Setting(SettingDescriptor(id: "level", label: "", kind: .range(RangeDescriptor())), value: nil)
        #expect(
            await failure { try await device.write(["level": .number(1)], as: [level]) } == "plug-in plugin: too hot")
        #expect(starts.count == 1, "a failure is no reason to start it again")
    }

    @Test(
        "Answers that don't fit fail",
        arguments: [
            (#"say "{\"id\":$id}""#, "answered 'read' without an object 'values'"),
            (#"say "{\"id\":$id,\"values\":[]}""#, "answered 'read' without an object 'values'"),
            (#"say "{\"id\":$id,\"values\":{\"levle\":1}}""#, "reads 'levle', which it did not describe"),
            (#"say "{\"id\":$id,\"values\":{\"level\":\"warm\"}}""#, "reads level: 'warm' is no value of a range"),
            (
                #"say "{\"id\":$id,\"values\":{\"level\":{}}}""#,
                "reads level: a list or an object is no value of a range"
            ),
        ])
    func answers(_ read: String, _ reason: String) async throws {
        let device = try accessory(plugin(read: read))
        #expect(await failure { _ = try await device.settings() } == "plug-in plugin \(reason)")
    }

    @Test(
        "A description that breaks the rules of the configuration fails with all faults",
        arguments: [
            (
                #"{\"level\":{\"kind\":\"rang\",\"label\":5}}"#,
                [
                    "settings.level.kind must be one of toggle, range, enumeration, text, information, found 'rang'; "
                        + "did you mean 'range'?", "settings.level.label must be a string, found a number",
                ]
            ),
            (#"{\"level\":{\"kind\":\"range\",\"mni\":5}}"#, ["settings.level unknown key 'mni'; did you mean 'min'?"]),
            (#"{}"#, ["settings must declare at least one setting"]),
            (#"7"#, ["settings must be an object: { … }, found a number"]),
        ])
    func descriptions(_ description: String, _ faults: [String]) async throws {
        let device = try accessory(plugin(describe: description))
        let sentence = await failure { _ = try await device.settings() }
        #expect(sentence == "plug-in plugin describes its settings wrongly: \(faults.joined(separator: "; "))")
    }

    @Test func linesThatAreNoMessagesHarmNothing() async throws {
        let device = try accessory(
            plugin(
                read: """
                    say 'starting…'; say '[]'; say '{"id":"1"}'; say '{"notice":"party"}'; say '{"id":99,"values":{}}'
                    printf '\\377\\n'; say ''; say "{\\"id\\":$id,\\"values\\":{\\"level\\":3}}"
                    """))
        #expect(try await device.values() == ["level": .number(3)])
        #expect(starts.count == 1)
    }

    @Test(
        "It is ended where it can't go on, and started again",
        arguments: [
            ("echo out of memory >&2; exit 3", "it ended with exit code 3: out of memory"),
            (#"printf '{"id":'; exit 0"#, "it ended with exit code 0 in the middle of a line"),
            ("head -c 1100000 /dev/zero | tr '\\\\0' x; exec sleep 600", "it wrote a line of more than 1 MB"),
            ("yes nonsense", "it wrote 100 lines in a row that are no messages"),
        ])
    func ends(_ read: String, _ reason: String) async throws {
        let device = try accessory(
            plugin(read: "if [ -e bad ]; then rm bad; \(read); fi; say \"{\\\"id\\\":$id,\\\"values\\\":{}}\""))
        try folder.write("bad", "")
        let sentence = await failure { _ = try await device.settings() }
        #expect(sentence == "plug-in plugin did not answer 'read': \(reason)")
        // The bridge is told when it runs again.
        var changes = try #require(device.changes).makeAsyncIterator()
        #expect(await changes.next() != nil)
        #expect(try await device.values() == [:])
        #expect(starts.count == 2)
        #expect(!exists(starts[0]))
    }

    @Test func oneThatDoesNotAnswerIsEnded() async throws {
        let device = try accessory(plugin(read: "sleep 600 & wait"), more: #", "timeout": "300ms""#)
        #expect(
            await failure { _ = try await device.settings() } == "plug-in plugin did not answer 'read' within 300 ms")
        let pid = try #require(starts.first)
        try await waitUntil("the plug-in to be gone") { !exists(pid) }
    }

    @Test func aCancelledRequestEndsIt() async throws {
        let device = try accessory(plugin(read: "echo $$ >reading; sleep 600 & wait"))
        let task = Task { try await device.settings() }
        let pid = try await folder.waitForPID("reading")
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await waitUntil("the plug-in to be gone") { !exists(pid) }
    }

    @Test func oneThatCannotBeStartedIsNamed() async throws {
        let device = try accessory("/no/such/plugin")
        #expect(
            await failure { _ = try await device.settings() }
                == "plug-in plugin does not run: /no/such/plugin can't be started: No such file or directory")
    }

    @Test("It ends with the accessory, and so does what it started") func endOfTheAccessory() async throws {
        var device: DeclaredAccessory? = try accessory(
            plugin(atStart: #"trap "" TERM; sh -c 'trap "" TERM; echo $$ >grandchild; while :; do sleep 1; done' &"#))
        _ = try await device?.settings()
        let grandchild = try await folder.waitForPID("grandchild")
        let pid = try #require(starts.first)
        device = nil
        try await waitUntil("the plug-in to be gone") { !exists(pid) }
        try await waitUntil("its child to be gone") { !isRunning(grandchild) }
    }

    @Test("Its successor is started when it is gone") func successor() async throws {
        let script = try plugin(
            atStart: """
                exec 9>port
                flock -n 9 || exit 3
                trap 'trap "" TERM; sleep 0.2' EXIT
                trap 'exit 0' TERM
                """)
        var device: DeclaredAccessory? = try accessory(script)
        let settings = try await device?.settings()
        device = nil
        device = try accessory(script)
        #expect(try await device?.settings() == settings)
        #expect(starts.count == 2)
        #expect(!isRunning(starts[0]))
    }

    @Test func restartsComeLessAndLessOften() {
        var delay = RestartDelay()
        let delays = (0..<8).map { _ in delay.next(after: .seconds(1)) }
        #expect(delays == [1, 2, 4, 8, 16, 32, 60, 60].map { Duration.seconds($0) })
        #expect(delay.next(after: .seconds(60)) == .seconds(1))
        #expect(delay.next(after: .zero) == .seconds(2))
    }
}
