import Foundation
import HomeExtensions
import HomeKit

/// A Home extension that misbehaves on request, for tests that need a process of its own.
@main struct StubbornExtension: HomeExtension {
    var body: some HomeContent {
        HomeAccessorySettings {
            Context()
        } provider: {
            StubbornProvider()
        }
    }
}

struct Context: HomeAccessorySettingsContext {}

@MainActor final class StubbornProvider: HomeAccessorySettingsProvider {
    private var nap = 0

    func settings(context: Context, for accessory: HMAccessory) async throws -> StubbornSettings {
        StubbornSettings(nap: nap)
    }

    /// Blocks the main actor for as many seconds as the nap is to last.
    func settingsDidChange(changes: [String: Any], context: Context, for accessory: HMAccessory) async throws {
        guard let nap = changes["nap"] as? Int else { return }
        block(for: nap)
        self.nap = nap
    }

    private func block(for seconds: Int) {
        Thread.sleep(forTimeInterval: Double(seconds))
    }
}

struct StubbornSettings: HomeAccessorySettingsContainer {
    @HomeAccessoryRangeSetting(id: "nap", label: "Nap", range: 0...60, unit: "s") var nap: Int?

    init(nap: Int) {
        self.nap = nap
    }

    var availableSettings: [any HomeAccessorySetting] { [$nap] }
}
