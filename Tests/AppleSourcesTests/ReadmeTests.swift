import Foundation
import HomeExtensions
import HomeKit
import Testing

/// The provider in the README is a real one.
@MainActor @Suite struct ReadmeTests {
    private let accessory = HMAccessory(name: "panel", uniqueIdentifier: UUID())

    /// Runs a check with a folder in which the accessory's brightness reads as given.
    private func withScreen(reading text: String, _ check: (_ context: Screens, _ file: URL) async throws -> Void)
        async throws
    {
        let folder = FileManager.default.temporaryDirectory.appending(path: "readme-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "panel/brightness")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        try await check(Screens(folder: folder), file)
    }

    private func source(_ context: Screens) -> any AccessorySettingsSource {
        HomeAccessorySettings(context: { context }, provider: { ScreenProvider() }).makeSource()
    }

    @Test("The README quotes the provider word for word")
    func quotation() throws {
        let tests = URL(filePath: #filePath).deletingLastPathComponent()
        let readme = try String(contentsOf: tests.appending(path: "../../README.md").standardized, encoding: .utf8)
        // The tests have a main function of their own, so the attribute stands in the README only.
        let source = try String(contentsOf: tests.appending(path: "ReadmeProvider.swift"), encoding: .utf8)
            .replacing("struct ScreenExtension", with: "@main struct ScreenExtension")
        #expect(readme.contains("```swift\n\(source)```"), "README.md must hold ReadmeProvider.swift as it is")
    }

    @Test("The provider reads the file of the screen that the accessory is named after")
    func reading() async throws {
        try await withScreen(reading: "128\n") { context, _ in
            let settings = try await source(context).settings(for: accessory)
            #expect(settings.map(\.id) == ["brightness"])
            #expect(settings.first?.value == .number(128))
            #expect(
                settings.first?.descriptor.kind
                    == .range(RangeDescriptor(lowerBound: 0, upperBound: 255, step: 1, isInteger: true)))
        }
    }

    @Test("The provider writes what it gets, and the next read says so")
    func writing() async throws {
        try await withScreen(reading: "128\n") { context, file in
            let source = source(context)
            var change = try #require(try await source.settings(for: accessory).first)
            change.value = .number(200)
            try await source.settingsDidChange([change], for: accessory)
            #expect(try String(contentsOf: file, encoding: .utf8) == "200")
            #expect(try await source.settings(for: accessory).first?.value == .number(200))
        }
    }

    @Test("A content that is no number is unreadable; a screen that is not there is an error")
    func unreadable() async throws {
        try await withScreen(reading: "bright\n") { context, _ in
            let settings = try await source(context).settings(for: accessory)
            #expect(settings.count == 1)
            #expect(settings.first?.value == nil)
            let stranger = HMAccessory(name: "nowhere", uniqueIdentifier: UUID())
            await #expect(throws: CocoaError.self) { try await source(context).settings(for: stranger) }
        }
    }
}
