import Foundation
import HomeExtensions

/// A device whose settings are in memory: `s0`, `s2`, … are toggles, `s1`, `s3`, … ranges from 0 to 100.
@MainActor final class Device: HomeAccessorySettingsContext {
    private static let environment = ProcessInfo.processInfo.environment
    private static let count = environment["BENCHMARK_SETTINGS"].flatMap { Int($0) } ?? 50
    private static let isSlow = environment["BENCHMARK_SLOW"] != nil

    /// The values by the number in the setting's identifier. A toggle is 0 or 1.
    private(set) var values = [Int](repeating: 0, count: Device.count)
    private var unanswered: [UnsafeContinuation<Void, Never>] = []

    func apply(_ changes: [String: Any]) throws {
        for (id, value) in changes {
            guard let index = Int(id.dropFirst()), values.indices.contains(index) else { throw UnknownSetting(id: id) }
            switch value {
            case let isOn as Bool where index.isMultiple(of: 2): values[index] = isOn ? 1 : 0
            case let number as NSNumber: values[index] = number.intValue
            default: throw UnknownSetting(id: id)
            }
        }
    }

    /// What a request to the device takes: 10 to 50 ms where it is a slow one.
    func answerTime() async throws {
        if Self.isSlow { try await Task.sleep(for: .milliseconds(.random(in: 10...50))) }
    }

    /// Never returns, cancelled or not.
    func hang() async {
        await withUnsafeContinuation { unanswered.append($0) }
    }
}

struct UnknownSetting: Error {
    var id: String
}
