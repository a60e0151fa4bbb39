import AccessorySettings
import Foundation
import Synchronization
import TestSupport
import Testing

@MainActor @Suite("Files as devices") struct FileDeviceTests {
    private func text(_ path: String, more: String = "") throws -> ConfiguredDevice {
        try ConfiguredDevice(
            #"{ "type": "file", "path": "\#(path)", "format": "text", \#(more) "settings": { "x": { "kind": "text" } } }"#
        )
    }

    @Test func aReaderNeverSeesAHalfFile() async throws {
        try await withFolder { folder in
            let path = folder + "/x"
            let (one, other) = (String(repeating: "a", count: 100_000), String(repeating: "b", count: 90_000))
            try put(one, path)
            let device = try text(path)
            let isDone = Atomic(false)
            let reader = Thread.detached {
                var seen: Set<Int> = []
                while !isDone.load(ordering: .relaxed) {
                    seen.insert((try? Data(contentsOf: URL(filePath: path)).count) ?? -1)
                }
                return seen
            }
            for _ in 0..<20 {
                try await device.write(["x": .text(other)])
                try await device.write(["x": .text(one)])
            }
            isDone.store(true, ordering: .relaxed)
            #expect(await reader.value.isSubset(of: [100_000, 90_000]))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["x"], "nothing is left behind")
        }
    }

    @Test func modeAndLinksStay() async throws {
        try await withFolder { folder in
            try put("1", folder + "/real")
            chmod(folder + "/real", 0o640)
            try FileManager.default.createSymbolicLink(atPath: folder + "/link", withDestinationPath: "real")
            try await text(folder + "/link").write(["x": .text("2")])
            #expect(try content(folder + "/real") == "2")
            var status = stat()
            #expect(stat(folder + "/real", &status) == 0)
            #expect(status.st_mode & 0o7777 == 0o640)
            #expect(lstat(folder + "/link", &status) == 0)
            #expect(status.st_mode & S_IFMT == S_IFLNK)
        }
    }

    @Test func inPlaceTheFileStaysTheSame() async throws {
        try await withFolder { folder in
            try put("none [timer] heartbeat\n", folder + "/trigger")
            try put("0\n", folder + "/brightness")
            let device = try ConfiguredDevice(
                """
                { "type": "file", "format": "text", "in_place": true,
                  "files": { "trigger": "\(folder)/trigger", "brightness": "\(folder)/brightness" },
                  "settings": {
                    "trigger": { "kind": "enumeration", "file": "trigger", "bracketed": true,
                                 "options": [ { "value": "none" }, { "value": "timer" } ] },
                    "brightness": { "kind": "range", "file": "brightness", "min": 0, "max": 255, "integer": true } } }
                """)
            #expect(try await device.read() == ["trigger": .option("timer"), "brightness": .number(0)])
            var before = stat()
            stat(folder + "/brightness", &before)
            try await device.write(["trigger": .option("none"), "brightness": .number(7)])
            #expect(try content(folder + "/brightness") == "7\n")
            #expect(try content(folder + "/trigger") == "none\n", "a real attribute would put the brackets")
            var after = stat()
            stat(folder + "/brightness", &after)
            #expect(after.st_ino == before.st_ino)
        }
    }

    @Test func theExampleForALightOfTheBoard() async throws {
        try await withFolder { folder in
            try put("none [mmc0] heartbeat\n", folder + "/trigger")
            try put("255\n", folder + "/brightness")
            let device = try ConfiguredDevice(example: "sysfs-led", replacing: ["/sys/class/leds/ACT": folder])
            let settings = try await device.snapshot().settings
            #expect(settings.map(\.value) == [.option("mmc0"), .number(255)])
            #expect(settings.map(\.descriptor.isEnabled) == [true, false])
            try await device.write(["trigger": .option("none"), "brightness": .number(0)])
            #expect(try content(folder + "/trigger") == "none\n")
            #expect(try content(folder + "/brightness") == "0\n")
        }
    }

    @Test func theExampleForAProcessor() async throws {
        try await withFolder { folder in
            try put("schedutil\n", folder + "/scaling_governor")
            try put("1500000\n", folder + "/scaling_max_freq")
            try put("900000\n", folder + "/scaling_cur_freq")
            let device = try ConfiguredDevice(
                example: "sysfs-governor", replacing: ["/sys/devices/system/cpu/cpufreq/policy0": folder])
            #expect(
                try await device.read() == [
                    "governor": .option("schedutil"), "max_frequency": .number(1_500), "frequency": .text("900"),
                ])
            try await device.write(["max_frequency": .number(1_200)])
            #expect(try content(folder + "/scaling_max_freq") == "1200000\n")
        }
    }

    @Test func aFileThatCantBeWrittenKeepsNoOtherFromIt() async throws {
        try await withFolder { folder in
            try put("a", folder + "/a")
            let device = try ConfiguredDevice(
                """
                { "type": "file", "format": "text", "files": { "a": "\(folder)/a", "b": "\(folder)/b" },
                  "settings": { "a": { "kind": "text", "file": "a" }, "b": { "kind": "text", "file": "b" } } }
                """)
            try put("b", folder + "/b")
            let snapshot = try await device.snapshot()
            try FileManager.default.removeItem(atPath: folder + "/b")
            let failed = try await failedSettings {
                try await device.write(["b": .text("2"), "a": .text("1")], as: snapshot)
            }
            #expect(failed == ["b": "\(folder)/b can't be read: No such file or directory"])
            #expect(try content(folder + "/a") == "1")
        }
    }

    @Test func intoOneFileAllIsWrittenOrNothing() async throws {
        try await withFolder { folder in
            let path = folder + "/app.ini"
            try put("a = 1\nb = 2\nc = 3\n", path)
            let device = try ConfiguredDevice(
                """
                { "type": "file", "format": "ini", "path": "\(path)",
                  "settings": { "a": { "kind": "text", "key": "a" }, "b": { "kind": "text", "key": "b" },
                                "c": { "kind": "text", "key": "c" } } }
                """)
            let failed = try await failedSettings {
                try await device.write(["a": .text("7"), "b": .text(" 8"), "c": .text("#")])
            }
            #expect(
                failed == [
                    "a": "nothing was written into \(path), because b, c failed",
                    "b": "\(path), b: a value without quotes can't begin or end with a blank",
                    "c": "\(path), c: a value without quotes can't hold what begins a comment (# or ;)",
                ])
            #expect(try content(path) == "a = 1\nb = 2\nc = 3\n")
        }
    }

    @Test func whatOthersChangeIsNoticed() async throws {
        try await withFolder { folder in
            try put("1", folder + "/x")
            let device = try text(folder + "/x")
            let count = Mutex(0)
            let changes = try device.changes()
            let counting = Task { for await _ in changes { count.withLock { $0 += 1 } } }
            defer { counting.cancel() }
            func noticed(_ what: String, after before: Int) async throws {
                try await waitUntil(what) { count.withLock { $0 } > before }
            }
            #expect(try await device.read() == ["x": .text("1")])
            try put("2", folder + "/x")
            try await noticed("an overwritten file", after: 0)
            #expect(try await device.read() == ["x": .text("2")])

            try await device.write(["x": .text("3")])
            try put("4", folder + "/new")
            var before = count.withLock { $0 }
            #expect(rename(folder + "/new", folder + "/x") == 0)
            try await noticed("a replaced file", after: before)
            #expect(try await device.read() == ["x": .text("4")])

            before = count.withLock { $0 }
            try FileManager.default.removeItem(atPath: folder + "/x")
            try await noticed("a removed file", after: before)
            let sentence = await ConfiguredDevice.sentence { _ = try await device.read() }
            #expect(sentence == "\(folder)/x can't be read: No such file or directory")
            before = count.withLock { $0 }
            try put("5", folder + "/x")
            try await noticed("a file that came back", after: before)
            #expect(try await device.read() == ["x": .text("5")])
        }
    }

    @Test func failuresNamePathAndReason() async throws {
        try await withFolder { folder in
            @MainActor func reading(_ path: String) async throws -> String {
                let device = try text(path)
                return await ConfiguredDevice.sentence { _ = try await device.read() }
            }
            #expect(try await reading(folder) == "\(folder) can't be read: Is a directory")
            try Data([0xFF, 0xFE]).write(to: URL(filePath: folder + "/bytes"))
            #expect(try await reading(folder + "/bytes") == "\(folder)/bytes can't be read: it is not UTF-8")
            try put(String(repeating: "x", count: 1_048_577), folder + "/large")
            #expect(try await reading(folder + "/large") == "\(folder)/large can't be read: it is larger than 1 MB")
            try put("<html>", folder + "/page")
            let page = try ConfiguredDevice(
                #"{ "type": "file", "path": "\#(folder)/page", "format": "json", "settings": { "x": { "kind": "text", "pointer": "" } } }"#
            )
            let sentence = await ConfiguredDevice.sentence { _ = try await page.read() }
            #expect(sentence.hasPrefix("\(folder)/page is not JSON"), "\(sentence)")

            let pipe = folder + "/pipe"
            #expect(mkfifo(pipe, 0o600) == 0)
            let device = try text(pipe)
            let written = await ConfiguredDevice.sentence { try await device.write(["x": .text("1")]) }
            #expect(
                written == "\(pipe) can't be written: it is no regular file; devices need \"in_place\": true")
        }
    }

    /// Root may write everything, so that a file system that nobody may write stands in there.
    @Test func aReadOnlyFileIsNamed() async throws {
        if getuid() == 0 {
            let device = try text("/proc/version", more: #""in_place": true,"#)
            let sentence = await ConfiguredDevice.sentence { try await device.write(["x": .text("1")]) }
            #expect(sentence.hasPrefix("/proc/version can't be written: "), "\(sentence)")
        } else {
            try await withFolder { folder in
                try put("1", folder + "/x")
                chmod(folder + "/x", 0o400)
                let device = try text(folder + "/x")
                let sentence = await ConfiguredDevice.sentence { try await device.write(["x": .text("2")]) }
                #expect(sentence == "\(folder)/x can't be written: Permission denied")
            }
        }
    }

    @Test(arguments: [
        (
            #"{ "type": "file", "format": "text", "settings": { "x": { "kind": "text" } } }"#,
            [".path: is missing; it names the file (or 'files' several)"]
        ),
        (
            #"{ "type": "file", "path": "x", "format": "yaml", "settings": { "x": { "kind": "text" } } }"#,
            [".format: must be one of text, json, ini, found 'yaml'"]
        ),
        (
            #"{ "type": "file", "path": "x", "format": "jsn", "settings": { "x": { "kind": "text", "pointer": "/x" } } }"#,
            [".format: must be one of text, json, ini, found 'jsn'; did you mean 'json'?"]
        ),
        (
            #"{ "type": "file", "files": { "a": 5 }, "format": "text", "settings": { "x": { "kind": "text", "file": "a" } } }"#,
            [".files.a: must be a string, found a number"]
        ),
        (
            #"{ "type": "file", "path": "x", "format": "json", "settings": { "x": { "kind": "text", "pointer": "x" } } }"#,
            [".settings.x.pointer: must be a JSON Pointer such as \"/config/power\" (~1 stands for /, ~0 for ~)"]
        ),
        (
            #"{ "type": "file", "path": "x", "format": "ini", "settings": { "x": { "kind": "text", "key": "a=b", "section": "]" } } }"#,
            [
                ".settings.x.section: must not contain ]",
                ".settings.x.key: must be a key as it stands before '=', without blanks around it",
            ]
        ),
        (
            #"{ "type": "file", "files": { "a": "x" }, "format": "text", "settings": { "x": { "kind": "text", "file": "b" } } }"#,
            [".settings.x.file: must be one of the names in 'files': a"]
        ),
        (
            #"{ "type": "file", "path": "x", "files": { "a": "x" }, "format": "text", "settings": { "x": { "kind": "text", "file": "a" } } }"#,
            [".files: can't stand beside 'path'"]
        ),
    ])
    func faultsSayWhatWouldBeRight(_ section: String, _ faults: [String]) {
        #expect(Set(ConfiguredDevice.faults(section)) == Set(faults))
    }
}

extension Thread {
    /// Runs the body on a thread of its own, so that it does not wait for others.
    fileprivate static func detached<Result: Sendable>(_ body: @escaping @Sendable () -> Result) -> Task<Result, Never>
    {
        Task {
            await withCheckedContinuation { continuation in
                Thread { continuation.resume(returning: body()) }.start()
            }
        }
    }
}
