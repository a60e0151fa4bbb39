import AccessorySettings
import Foundation
import Glibc
import TestSupport
import Testing

@testable import DeviceProviders
@testable import SettingsBridge

@Suite("The processes of commands", .timeLimit(.minutes(2))) struct CommandProcessTests {
    private let folder = try! DeviceFolder()

    private func script(_ text: String) throws -> Launch {
        Launch(arguments: [try folder.script("program", text)], directory: folder.path)
    }

    @Test func exitCodeSignalAndStandardErrorAreTold() async throws {
        let failing = try script("printf 'first\\n\\tsecond\\033\\n' >&2; exit 7")
        #expect(await failure { _ = try await failing.run() } == "program ended with exit code 7: first |  second ")
        let killed = try script("kill -SEGV $$")
        #expect(await failure { _ = try await killed.run() } == "program was ended by the signal segmentation fault")
        let loud = try script("yes x | head -c 100000 >&2; exit 1")
        #expect(await failure { _ = try await loud.run() }.count < 400)
    }

    @Test func whatCannotBeStartedIsNamed() async throws {
        let missing = Launch(arguments: ["no-such-program"])
        #expect(
            await failure { _ = try await missing.run() }
                == "no-such-program can't be started: No such file or directory")
        try folder.write("data", "x")
        let noProgram = Launch(arguments: [folder.file("data")])
        #expect(
            await failure { _ = try await noProgram.run() }
                == "\(folder.file("data")) can't be started: Permission denied")
        let noFolder = Launch(arguments: ["true"], directory: folder.file("gone"))
        #expect(
            await failure { _ = try await noFolder.run() }
                == "true can't be started in \(folder.file("gone")): No such file or directory")
    }

    @Test("A time-out ends the group: the child and what it started, also what ignores SIGTERM")
    func timeout() async throws {
        let hanging = try script(
            """
            sh -c 'trap "" TERM; echo $$ >grandchild; while :; do sleep 1; done' &
            echo $$ >child
            wait
            """)
        let sentence = await failure { _ = try await hanging.run(timeout: .milliseconds(400)) }
        #expect(sentence == "program did not end within 400 ms")
        for name in ["child", "grandchild"] {
            let pid = try await folder.waitForPID(name)
            try await waitUntil("\(name) to be gone") { !(name == "child" ? exists(pid) : isRunning(pid)) }
        }
    }

    @Test func aCancelledTaskEndsTheGroup() async throws {
        let hanging = try script("sh -c 'echo $$ >grandchild; exec sleep 600' & echo $$ >child; wait")
        let task = Task { try await hanging.run() }
        let child = try await folder.waitForPID("child")
        let grandchild = try await folder.waitForPID("grandchild")
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(!exists(child), "a zombie is left")
        try await waitUntil("the grandchild to be gone") { !isRunning(grandchild) }
    }

    @Test func whatACommandLeavesBehindIsEnded() async throws {
        // It has the standard output open: nobody may wait for its end.
        let leaving = try script(
            "sh -c 'echo $$ >grandchild; exec sleep 600' & until [ -s grandchild ]; do :; done; echo done")
        #expect(try await leaving.run() == Array("done\n".utf8))
        let grandchild = try await folder.waitForPID("grandchild")
        try await waitUntil("the grandchild to be gone") { !isRunning(grandchild) }
    }

    @Test("A child gets no blocked and no ignored signals, no files of ours, and a group of its own")
    func inheritance() async throws {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        signal(SIGPIPE, SIG_IGN)
        let script = try script(
            """
            grep -E '^Sig(Blk|Ign)' /proc/self/status
            for file in /proc/$$/fd/*; do readlink "$file"; done
            read -r line || echo "no input"
            cut -d ' ' -f 1,5 /proc/$$/stat
            """)
        let lines = String(decoding: try await script.run(), as: UTF8.self).split(separator: "\n").map(String.init)
        #expect(lines.first == "SigBlk:\t0000000000000000")
        // glibc has the signals 32 and 33 for itself.
        #expect(
            ["0000000000000000", "0000000180000000"].contains(lines[1].dropFirst("SigIgn:\t".count)), "\(lines[1])")
        #expect(lines.contains("/dev/null"))
        #expect(lines.contains("no input"))
        #expect(!lines.contains { $0.contains("socket") }, "\(lines)")
        let numbers = try #require(lines.last).split(separator: " ")
        #expect(numbers.count == 2 && numbers[0] == numbers[1], "its group: \(numbers)")
    }

    @Test("Exit codes are known also where ended children are ignored, as whoever started the bridge may have it")
    func ignoredEnds() async throws {
        try folder.write(
            "f.json",
            """
            { "accessories": [ { "id": "a", "provider": { "type": "command",
                "read": { "all": { "command": ["sh", "-c", "echo 7; exit 3"] } },
                "settings": { "x": { "kind": "information", "read": {} } } } } ] }
            """)
        let check = try ChildProcess(
            "env", ["--ignore-signal=CHLD", bridgeProgram, "check", "--probe", "-c", folder.file("f.json")])
        try await waitUntil("the end of the check") { check.hasEnded }
        #expect(check.waitForStatus() == 1)
        #expect(check.lines.contains { $0.hasSuffix("sh ended with exit code 3") }, "\(check.lines)")
        #expect("\(Child.Ending.unknown)" == "ended, nobody can say how")
    }

    @Test func aChildThatDoesNotReadItsInputHoldsNobodyUp() async throws {
        let input = [UInt8](repeating: UInt8(ascii: "x"), count: 300_000)
        #expect(try await script("exit 0").run(input: input) == [])
        #expect(try await script("wc -c").run(input: input) == Array("300000\n".utf8))
        let hanging = try script("exec sleep 600")
        #expect(
            await failure { _ = try await hanging.run(input: input, timeout: .milliseconds(200)) }
                == "sleep did not end within 200 ms".replacing("sleep", with: "program"))
    }

    @Test func manyCommandsLeaveNoZombies() async throws {
        let script = try script("echo $$")
        let pids = try await withThrowingTaskGroup(of: pid_t?.self) { group in
            for _ in 0..<40 {
                group.addTask { pid_t(String(decoding: try await script.run().dropLast(), as: UTF8.self)) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(pids.count == 40)
        for pid in pids { #expect(try !exists(#require(pid))) }
    }
}
