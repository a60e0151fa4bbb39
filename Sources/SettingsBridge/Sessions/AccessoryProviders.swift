import AccessorySettings
import Foundation
import HomeKit

/// All providers of one accessory, called as one: their snapshots are joined in order, a change dictionary is split by
/// owner.
@MainActor final class AccessoryProviders {
    private let accessory: HMAccessory
    private let candidates: @MainActor @Sendable () -> [HomeAccessorySettings]
    private let progress: CallProgress
    private var sources: [any AccessorySettingsSource] = []
    /// Which source a setting belongs to, by the last reading.
    private var owners: [String: Int] = [:]
    /// The identifiers of the last reading by source, if nothing was wrong with it: the same again needs no checks.
    private var joinedBefore: [[String]] = []

    /// - Parameter candidates: what may serve the accessory; those are used whose filters accept it.
    nonisolated init(
        accessory: HMAccessory, candidates: @escaping @MainActor @Sendable () -> [HomeAccessorySettings],
        progress: CallProgress
    ) {
        self.accessory = accessory
        self.candidates = candidates
        self.progress = progress
    }

    /// Asks the filters and makes the providers. Called once, before anything else.
    ///
    /// - Returns: a stream for each provider that can tell when something changed by itself.
    func open() async -> [AsyncStream<Void>] {
        progress.enter("the extension's settings")
        defer { progress.leave() }
        for candidate in candidates() where await candidate.accepts(accessory) {
            sources.append(candidate.makeSource())
        }
        return sources.compactMap { $0.settingsChanges(for: accessory) }
    }

    /// Lets go of the providers and what they hold, such as a plug-in. They are called no more.
    func close() {
        sources = []
        owners = [:]
        joinedBefore = []
    }

    /// Writes the changes, if there are any, and reads at once afterwards.
    func call(_ changes: [Setting]) async -> CallResult {
        let failures = changes.isEmpty ? [] : await write(changes)
        return CallResult(failures: failures, reading: await read())
    }

    private func write(_ changes: [Setting]) async -> [ChangeFailure] {
        var failures: [ChangeFailure] = []
        let unowned = changes.map(\.id).filter { owners[$0] == nil }
        if !unowned.isEmpty {
            failures.append(ChangeFailure(settings: Set(unowned), message: "no provider lists this setting any more"))
        }
        for (number, source) in sources.enumerated() {
            let own = changes.filter { owners[$0.id] == number }
            // A cancelled call is over time: its senders were told that it failed, so it must not write more.
            guard !own.isEmpty, !Task.isCancelled else { continue }
            progress.enter("provider \(source.name)")
            defer { progress.leave() }
            do {
                try await source.settingsDidChange(own, for: accessory)
            } catch {
                failures += changeFailures(of: own.map(\.id), error)
            }
        }
        return failures
    }

    /// What an error of a provider says about the settings that it was to change.
    private func changeFailures(of settings: [String], _ error: any Error) -> [ChangeFailure] {
        let reasons = (error as? AccessorySettingsChangeError)?.reasons.filter { settings.contains($0.key) } ?? [:]
        guard reasons.isEmpty else {
            return reasons.map { ChangeFailure(settings: [$0.key], message: $0.value) }
        }
        let isWithoutReason = (error as? AccessorySettingsChangeError)?.reasons.isEmpty == true
        return [
            ChangeFailure(
                settings: Set(settings),
                message: isWithoutReason ? "the provider failed without a reason" : sentence(for: error))
        ]
    }

    private func read() async -> Result<Reading, ReadingFailure> {
        guard !sources.isEmpty else {
            return .failure(ReadingFailure(reason: "no provider accepts this accessory"))
        }
        var parts: [[Setting]] = []
        parts.reserveCapacity(sources.count)
        for source in sources {
            guard !Task.isCancelled else { return .failure(ReadingFailure(reason: "the call was cancelled")) }
            progress.enter("provider \(source.name)")
            defer { progress.leave() }
            do {
                parts.append(try await source.settings(for: accessory))
            } catch {
                return .failure(ReadingFailure(reason: sentence(for: error)))
            }
        }
        return .success(join(parts))
    }

    private func join(_ parts: [[Setting]]) -> Reading {
        let identifiers = parts.map { $0.map(\.id) }
        if identifiers == joinedBefore { return Reading(settings: parts.count == 1 ? parts[0] : parts.flatMap(\.self)) }
        var joined = Reading(settings: [])
        owners = [:]
        for (number, settings) in parts.enumerated() {
            if settings.isEmpty { joined.warnings.append("provider \(sources[number].name) lists no settings") }
            for setting in settings {
                guard !setting.id.isEmpty else {
                    joined.warnings.append(
                        "provider \(sources[number].name) lists a setting with an empty identifier; it is left out")
                    continue
                }
                if let owner = owners[setting.id] {
                    joined.warnings.append(duplicate(setting.id, of: owner, and: number))
                    continue
                }
                owners[setting.id] = number
                joined.settings.append(setting)
            }
        }
        joinedBefore = joined.warnings.isEmpty ? identifiers : []
        return joined
    }

    private func duplicate(_ id: String, of owner: Int, and other: Int) -> String {
        let first = sources[owner].name
        return owner == other
            ? "the identifier \(id) is used twice by provider \(first); the first setting keeps it"
            : "the identifier \(id) is used by both providers \(first) and \(sources[other].name); \(first) keeps it"
    }
}

/// An error as a sentence for people.
package func sentence(for error: any Error) -> String {
    if let localized = error as? any LocalizedError, let description = localized.errorDescription { return description }
    if error is CancellationError { return "the call was cancelled" }
    // Foundation's own errors describe themselves for programmers.
    if error is any CustomNSError || type(of: error) is NSError.Type { return error.localizedDescription }
    return String(describing: error)
}
