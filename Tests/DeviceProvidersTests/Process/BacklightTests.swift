import AccessorySettings
import Foundation
import TestSupport
import Testing

@MainActor @Suite("The plug-in for the backlight", .timeLimit(.minutes(2))) struct BacklightTests {
    private let folder = try! DeviceFolder()

    @Test func itReadsAndWritesTheBrightness() async throws {
        try folder.write("max_brightness", "937\n")
        try folder.write("brightness", "400\n")
        let script = examplesFolder.appending(path: "plugins/backlight.sh").path
        let screen = try DeclaredAccessory(#"{ "type": "process", "command": ["\#(script)", "\#(folder.path)"] }"#)
        let settings = try await screen.settings()
        #expect(settings.map(\.value) == [.number(400)])
        #expect(
            settings[0].descriptor.kind
                == .range(RangeDescriptor(lowerBound: 0, upperBound: 937, step: 1, isInteger: true)))
        try await screen.write(["brightness": .number(12)])
        #expect(folder.text("brightness") == "12\n")

        try FileManager.default.removeItem(atPath: folder.file("brightness"))
        try FileManager.default.createDirectory(atPath: folder.file("brightness"), withIntermediateDirectories: false)
        #expect(
            await failure { _ = try await screen.settings() } == "plug-in backlight.sh: the brightness can't be read")
        #expect(
            await failure { try await screen.write(["brightness": .number(1)], as: settings) }
                == "plug-in backlight.sh: the brightness can't be changed; may this user write to \(folder.path)?")
    }

    @Test("The documentation shows the plug-ins as they are", arguments: ["mpd.py", "backlight.sh"])
    func documentation(_ name: String) throws {
        let plugin = try String(contentsOf: examplesFolder.appending(path: "plugins/\(name)"), encoding: .utf8)
        let page = examplesFolder.deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "docs/providers/process.md")
        #expect(try String(contentsOf: page, encoding: .utf8).contains("\n\(plugin)```\n"))
    }
}
