import AccessorySettings
import SettingsBridge
import Synchronization

/// A device with any number of settings, in memory: for measurements and tests.
final class GeneratedDevice: DeviceConnection {
    private let values: Mutex<[String: JSONValue]>
    private let context: SimulatedContext
    let settings: [DeclaredSetting]

    /// - Parameter count: toggles, ranges, enumerations, texts and information in turn.
    init(count: Int, context: SimulatedContext) {
        let generated = (1...count).map(Self.setting)
        settings = generated.map(\.setting)
        values = Mutex(Dictionary(uniqueKeysWithValues: generated.map { ($0.setting.id, $0.value) }))
        self.context = context
    }

    @concurrent func read() async throws -> [String: JSONValue] {
        try await context.answer()
        return values.withLock { $0 }
    }

    @concurrent func write(_ changes: [DeviceChange]) async throws -> [String: DeviceError] {
        try await context.answer()
        values.withLock { values in
            for change in changes { values[change.setting] = change.value }
        }
        return [:]
    }

    private static func setting(_ number: Int) -> (setting: DeclaredSetting, value: JSONValue) {
        let (id, kind, value): (String, SettingKind, JSONValue) =
            switch number % 5 {
            case 1: ("toggle_\(number)", .toggle(onLabel: nil, offLabel: nil), .bool(false))
            case 2:
                (
                    "range_\(number)",
                    .range(
                        RangeDescriptor(
                            lowerBound: 0, upperBound: 100, step: 0.5, isInteger: false, unit: "%", decimalPrecision: 1)
                    ), .integer(50)
                )
            case 3:
                (
                    "enumeration_\(number)",
                    .enumeration(
                        ["Low", "Medium", "High"].map { EnumerationOption(rawValue: $0.lowercased(), label: $0) }),
                    .string("low")
                )
            case 4:
                (
                    "text_\(number)", .text(placeholder: nil, maximumLength: nil, isSecret: false),
                    .string("Text \(number)")
                )
            default: ("information_\(number)", .information(unit: nil), .string("Information \(number)"))
            }
        return (
            DeclaredSetting(
                descriptor: SettingDescriptor(id: id, label: "Setting \(number)", kind: kind),
                mapping: ValueMapping()), value
        )
    }
}
