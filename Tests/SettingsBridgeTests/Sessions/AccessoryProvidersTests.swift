import AccessorySettings
import Foundation
import HomeKit
import Testing

@testable import SettingsBridge

/// The rules of providers that concern several of them, and the order of calls.
@MainActor @Suite("Providers of one accessory") struct AccessoryProvidersTests {
    /// What the providers were asked, in order.
    @MainActor final class Journal {
        var entries: [String] = []
        var contexts = 0
        var providers = 0
    }

    struct ListContext: HomeAccessorySettingsContext {
        let journal: Journal
    }

    /// A provider of toggles with the given identifiers.
    struct ListProvider: HomeAccessorySettingsProvider {
        struct Container: HomeAccessorySettingsContainer {
            var availableSettings: [any HomeAccessorySetting]
        }
        struct Failure: Error, CustomStringConvertible { var description: String }

        var name: String
        var identifiers: [String]
        /// What writing throws.
        var failure: (any Error)?
        var failsToRead = false

        func settings(context: ListContext, for accessory: HMAccessory) async throws -> Container {
            context.journal.entries.append("\(name) reads")
            if failsToRead { throw Failure(description: "\(name) is away") }
            return Container(
                availableSettings: identifiers.map {
                    HomeAccessoryToggleSetting(id: $0, label: HomeAccessorySettingLabel("x"), currentValue: true)
                })
        }

        func settingsDidChange(
            changes: [String: Any], context: ListContext, for accessory: HMAccessory
        ) async throws {
            context.journal.entries.append("\(name) writes \(changes.keys.sorted().joined(separator: ","))")
            if let failure { throw failure }
        }
    }

    /// A second type, so that messages can name both.
    struct OtherProvider: HomeAccessorySettingsProvider {
        var list: ListProvider
        func settings(context: ListContext, for accessory: HMAccessory) async throws -> ListProvider.Container {
            try await list.settings(context: context, for: accessory)
        }
        func settingsDidChange(
            changes: [String: Any], context: ListContext, for accessory: HMAccessory
        ) async throws {
            try await list.settingsDidChange(changes: changes, context: context, for: accessory)
        }
    }

    private let journal = Journal()
    private let accessory = HMAccessory(name: "Lamp", uniqueIdentifier: UUID())

    private func settings(
        _ provider: ListProvider, filter: @escaping HomeAccessoryConfiguration.SupportsAccessory = { _ in true }
    ) -> HomeAccessorySettings {
        HomeAccessorySettings(
            context: { [journal] in
                journal.contexts += 1
                return ListContext(journal: journal)
            },
            provider: { [journal] in
                journal.providers += 1
                return provider
            }, filter: filter)
    }

    private func open(_ settings: HomeAccessorySettings...) async -> AccessoryProviders {
        let providers = AccessoryProviders(
            accessory: accessory, candidates: { settings }, progress: CallProgress(accessory: "lamp"))
        _ = await providers.open()
        return providers
    }

    private func change(_ ids: String...) -> [Setting] {
        ids.map { Setting(SettingDescriptor(id: $0, label: $0, kind: .toggle()), value: .toggle(false)) }
    }

    private func reading(_ result: CallResult) throws -> Reading { try result.reading.get() }

    @Test func snapshotsAreJoinedInOrderAndChangesSplitByOwner() async throws {
        let providers = await open(
            settings(ListProvider(name: "A", identifiers: ["a1", "a2"])),
            settings(ListProvider(name: "B", identifiers: ["b1"])))
        #expect(try reading(await providers.call([])).settings.map(\.id) == ["a1", "a2", "b1"])
        journal.entries = []
        let result = await providers.call(change("b1", "a2"))
        #expect(journal.entries == ["A writes a2", "B writes b1", "A reads", "B reads"])
        #expect(result.failures.isEmpty)
    }

    @Test func settingsAreReadAtOnceAfterAChange() async throws {
        let providers = await open(settings(ListProvider(name: "A", identifiers: ["a"])))
        _ = await providers.call([])
        _ = await providers.call(change("a"))
        _ = await providers.call([])
        #expect(journal.entries == ["A reads", "A writes a", "A reads", "A reads"])
    }

    @Test func closuresRunOncePerAccessory() async throws {
        let providers = await open(settings(ListProvider(name: "A", identifiers: ["a"])))
        for _ in 0..<3 { _ = await providers.call([]) }
        #expect(journal.contexts == 1 && journal.providers == 1)
    }

    @Test func aProviderWhoseFilterRejectsTheAccessoryIsNeverCalled() async throws {
        let providers = await open(
            settings(ListProvider(name: "A", identifiers: ["a"]), filter: { $0.name == "Fan" }),
            settings(ListProvider(name: "B", identifiers: ["b"]), filter: { $0.name == "Lamp" }))
        #expect(try reading(await providers.call([])).settings.map(\.id) == ["b"])
        #expect(journal.entries == ["B reads"])
        #expect(journal.contexts == 1)
    }

    @Test func anAccessoryThatNobodyAcceptsCannotBeRead() async throws {
        let providers = await open(settings(ListProvider(name: "A", identifiers: ["a"]), filter: { _ in false }))
        guard case .failure(let failure) = await providers.call([]).reading else {
            Issue.record("it was read")
            return
        }
        #expect(failure.reason == "no provider accepts this accessory")
    }

    @Test func aDuplicateNamesTheIdentifierAndBothProvidersAndTheFirstKeepsIt() async throws {
        let journal = journal
        let other = HomeAccessorySettings(
            context: { ListContext(journal: journal) },
            provider: { OtherProvider(list: ListProvider(name: "B", identifiers: ["b", "shared"])) })
        let providers = await open(settings(ListProvider(name: "A", identifiers: ["shared", "a"])), other)
        for _ in 0..<2 {
            let reading = try reading(await providers.call([]))
            #expect(reading.settings.map(\.id) == ["shared", "a", "b"])
            #expect(
                reading.warnings == [
                    "the identifier shared is used by both providers ListProvider and OtherProvider; ListProvider keeps it"
                ])
        }
        journal.entries = []
        _ = await providers.call(change("shared", "b"))
        #expect(journal.entries.prefix(2) == ["A writes shared", "B writes b"])
    }

    @Test func aDuplicateWithinOneProviderAndAnEmptyIdentifierAreNamed() async throws {
        let providers = await open(settings(ListProvider(name: "A", identifiers: ["a", "", "a"])))
        let reading = try reading(await providers.call([]))
        #expect(reading.settings.map(\.id) == ["a"])
        #expect(
            reading.warnings == [
                "provider ListProvider lists a setting with an empty identifier; it is left out",
                "the identifier a is used twice by provider ListProvider; the first setting keeps it",
            ])
    }

    @Test func anEmptyListIsNamed() async throws {
        let providers = await open(settings(ListProvider(name: "A", identifiers: [])))
        for _ in 0..<2 {
            #expect(try reading(await providers.call([])).warnings == ["provider ListProvider lists no settings"])
        }
    }

    @Test func aFailedChangeNamesItsSettingsAndTheOthersAreStillWritten() async throws {
        let providers = await open(
            settings(
                ListProvider(
                    name: "A", identifiers: ["a"], failure: ListProvider.Failure(description: "A refuses"))),
            settings(ListProvider(name: "B", identifiers: ["b"])))
        _ = await providers.call([])
        journal.entries = []
        let result = await providers.call(change("a", "b"))
        #expect(result.failures.map(\.settings) == [["a"]])
        #expect(result.failures.map(\.message) == ["A refuses"])
        // The true state is read all the same.
        #expect(journal.entries == ["A writes a", "B writes b", "A reads", "B reads"])
    }

    @Test(arguments: [
        (["a": "it is jammed"], ["a": "it is jammed"]),
        (["a": "it is jammed", "b": "it is off"], ["a": "it is jammed", "b": "it is off"]),
        (["a": "it is jammed", "other": "?"], ["a": "it is jammed"]),
        // An error that names nothing of the dictionary concerns all of it.
        (["other": "it is off"], ["a": "other: it is off", "b": "other: it is off"]),
        ([:], ["a": "the provider failed without a reason", "b": "the provider failed without a reason"]),
    ])
    func aProviderCanTellWhichSettingsFailed(_ reasons: [String: String], _ failed: [String: String]) async throws {
        let providers = await open(
            settings(
                ListProvider(
                    name: "A", identifiers: ["a", "b"], failure: AccessorySettingsChangeError(reasons))))
        _ = await providers.call([])
        let result = await providers.call(change("a", "b"))
        var found: [String: String] = [:]
        for failure in result.failures { for setting in failure.settings { found[setting] = failure.message } }
        #expect(found == failed)
    }

    @Test func aFailedReadingGivesTheErrorsText() async throws {
        let providers = await open(settings(ListProvider(name: "A", identifiers: ["a"], failsToRead: true)))
        guard case .failure(let failure) = await providers.call([]).reading else {
            Issue.record("it was read")
            return
        }
        #expect(failure.message == "can't be read: A is away")
    }
}
