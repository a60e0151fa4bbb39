import Foundation
import HomeExtensions
import HomeKit

/// A fan whose settings use every wrapper, both range initializers and all the ways to write a label.
struct VentilationSettings: HomeAccessorySettingsContainer {
    static let timerID = "timer"

    @HomeAccessoryToggleSetting(
        id: "night", label: HomeAccessorySettingLabel("Night mode", detailedLabel: "Runs quietly"), defaultValue: false,
        onLabel: "Quiet", offLabel: HomeAccessorySettingLabel("Normal", systemImage: "fan"))
    var night: Bool?

    // An integer type, a closed range.
    @HomeAccessoryRangeSetting(id: Self.timerID, label: "Timer", range: 0...120, step: 15, unit: "min")
    var timer: Int?

    // Bounds by themselves, floating point.
    @HomeAccessoryRangeSetting(
        id: "offset", label: "Offset", defaultValue: 0, lowerBound: -2.5, upperBound: 2.5, step: 0.1, unit: "°C",
        valueFormat: .temperature, minimumValueLabel: "cold", maximumValueLabel: "warm", valueSuffix: " °C",
        decimalPrecision: 1, sliderStyle: .continuous)
    var offset: Double?

    @HomeAccessoryRangeSetting(
        id: "gain", label: "Gain", range: 0...1, isEnabled: false, step: 0.1, valueFormat: .percentage)
    var gain: Float?

    // One-sided ranges.
    @HomeAccessoryRangeSetting(id: "least", label: "Least", range: 1...)
    var least: UInt8?

    @HomeAccessoryRangeSetting(id: "most", label: "Most", range: ...9.5, sliderStyle: .stepped)
    var most: Double?

    @HomeAccessoryEnumSetting(id: "level", label: "Level", defaultValue: .medium, style: .expanded)
    var level: Level?

    @HomeAccessoryEnumSetting(id: "direction", label: "Direction", isEnabled: true, style: .navigation)
    var direction: Direction?

    @HomeAccessoryTextFieldSetting(id: "name", label: "Name", defaultValue: "Fan", placeholder: "Name of the fan")
    var name: String?

    @HomeAccessoryInformationSetting(id: "serial", label: "Serial number", value: "unknown")
    var serial: String?

    @HomeAccessoryRangeSetting var speed: Int?

    var availableSettings: [any HomeAccessorySetting] {
        var settings: [any HomeAccessorySetting] = [$night, $timer, $offset, $gain, $least, $most]
        settings += [$level, $direction, $name, $serial, $speed]
        return settings
    }

    init(fan: Fan) {
        let number = fan.number
        _speed = HomeAccessoryRangeSetting(
            id: "speed", label: HomeAccessorySettingLabel("Speed of fan \(number)"), range: 1...5,
            currentValue: fan.speed)
        night = fan.night
        timer = fan.timer
        offset = fan.offset
        gain = fan.gain
        least = fan.least
        most = fan.most
        level = fan.level
        direction = fan.direction
        name = fan.name
        serial = fan.serial

        $timer.isEnabled = fan.night == true
        $offset.label = HomeAccessorySettingLabel("Offset", detailedLabel: "Of zone \(number), in °C")
        $most.isHidden = true
        if fan.night == true { $night.label = "Night mode is on" }
    }
}

enum Level: Int, HomeAccessoryEnumSettingConstant {
    case low = 1
    case medium = 2
    case high = 10

    var value: HomeAccessorySettingLabel {
        HomeAccessorySettingLabel("Level \(rawValue)", systemImage: "\(rawValue).circle")
    }
}

enum Direction: String, CaseIterable, HomeAccessoryEnumSettingConstant {
    case supply = "in"
    case exhaust = "out"

    var value: HomeAccessorySettingLabel {
        switch self {
        case .supply: "Supply"
        case .exhaust: HomeAccessorySettingLabel("Exhaust", detailedLabel: "Moist rooms")
        }
    }
}

/// What the fan would say of itself.
@MainActor final class Fan {
    var number = 3
    var night: Bool?
    var timer: Int?
    var offset: Double?
    var gain: Float?
    var least: UInt8?
    var most: Double?
    var level: Level?
    var direction: Direction?
    var name: String?
    var serial: String?
    var speed: Int?
    /// How the changes arrived.
    var received: [String: Any] = [:]
}

struct VentilationContext: HomeAccessorySettingsContext {
    let fan: Fan
}

struct VentilationProvider: HomeAccessorySettingsProvider {
    func settings(context: VentilationContext, for accessory: HMAccessory) async throws -> VentilationSettings {
        VentilationSettings(fan: context.fan)
    }

    func settingsDidChange(
        changes: [String: Any], context: VentilationContext, for accessory: HMAccessory
    ) async throws {
        let fan = context.fan
        fan.received = changes
        for (id, value) in changes {
            switch id {
            case "night": fan.night = value as? Bool
            case VentilationSettings.timerID: fan.timer = value as? Int
            case "offset": fan.offset = value as? Double
            case "gain": fan.gain = (value as? NSNumber)?.floatValue
            case "least": fan.least = value as? UInt8
            case "most": fan.most = (value as? NSNumber)?.doubleValue
            case "level": fan.level = (value as? String).flatMap(Int.init).flatMap(Level.init(rawValue:))
            case "direction": fan.direction = (value as? String).flatMap { Direction(rawValue: $0) }
            case "name": fan.name = value as? String
            case "speed": fan.speed = value as? Int
            default: throw VentilationError.unknownSetting(id)
            }
        }
    }
}

enum VentilationError: Error, Equatable {
    case unknownSetting(String)
}
