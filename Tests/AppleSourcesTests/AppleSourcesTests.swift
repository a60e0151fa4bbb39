import Foundation
import HomeExtensions
import HomeKit
import Testing

/// Sources written for Apple's systems compile unchanged, and do here what they do there.
@MainActor @Suite struct AppleSourcesTests {
    private let fanAccessory = HMAccessory(
        name: "Fan", uniqueIdentifier: UUID(), category: HMAccessoryCategory(HMAccessoryCategoryTypeFan))
    private let lampAccessory = HMAccessory(
        name: "Lamp", uniqueIdentifier: UUID(), category: HMAccessoryCategory(HMAccessoryCategoryTypeLightbulb),
        room: HMRoom(name: "Hall", uniqueIdentifier: UUID()), manufacturer: "Acme", model: "L2-8")

    private func source(of fan: Fan) -> any AccessorySettingsSource {
        HomeAccessorySettings {
            VentilationContext(fan: fan)
        } provider: {
            VentilationProvider()
        }.makeSource()
    }

    @Test("A container with every wrapper is read in the order of its settings")
    func order() async throws {
        let settings = try await source(of: Fan()).settings(for: fanAccessory)
        #expect(
            settings.map(\.id) == [
                "night", "timer", "offset", "gain", "least", "most", "level", "direction", "name", "serial", "speed",
            ])
    }

    @Test("Values are read as they are, with defaults where there are none")
    func values() async throws {
        let fan = Fan()
        let unread = Dictionary(
            uniqueKeysWithValues: try await source(of: fan).settings(for: fanAccessory).map { ($0.id, $0.value) })
        #expect(unread["night"] == .toggle(false))
        #expect(unread["timer"] == .some(nil))
        #expect(unread["offset"] == .number(0))
        #expect(unread["level"] == .option("2"))
        #expect(unread["direction"] == .some(nil))
        #expect(unread["name"] == .text("Fan"))
        #expect(unread["serial"] == .some(nil), "assigning nil to an information leaves it without a value")

        fan.night = true
        fan.timer = 45
        fan.offset = -0.3
        fan.gain = 0.7
        fan.least = 200
        fan.most = 9
        fan.level = .high
        fan.direction = .exhaust
        fan.name = ""
        fan.serial = "A-1"
        fan.speed = 4
        let read = try await source(of: fan).settings(for: fanAccessory).map(\.value)
        #expect(
            read == [
                .toggle(true), .number(45), .number(-0.3), .number(0.7), .number(200), .number(9), .option("10"),
                .option("out"), .text(""), .text("A-1"), .number(4),
            ])
    }

    @Test("Ranges carry their bounds, steps and units, whatever their type and initializer")
    func ranges() async throws {
        let settings = try await source(of: Fan()).settings(for: fanAccessory)
        func range(_ id: String) -> RangeDescriptor? {
            guard case .range(let range)? = settings.first(where: { $0.id == id })?.descriptor.kind else { return nil }
            return range
        }
        #expect(
            range("timer") == RangeDescriptor(lowerBound: 0, upperBound: 120, step: 15, isInteger: true, unit: "min"))
        #expect(
            range("offset")
                == RangeDescriptor(lowerBound: -2.5, upperBound: 2.5, step: 0.1, unit: "°C", decimalPrecision: 1))
        #expect(range("gain") == RangeDescriptor(lowerBound: 0, upperBound: 1, step: 0.1))
        #expect(
            range("least") == RangeDescriptor(lowerBound: 1, upperBound: 255, step: 1, isInteger: true),
            "a UInt8 holds no more than 255")
        #expect(range("most") == RangeDescriptor(upperBound: 9.5, step: 1), "a stepped slider without a step has 1")
        #expect(range("speed") == RangeDescriptor(lowerBound: 1, upperBound: 5, step: 1, isInteger: true))
    }

    @Test("Labels, enabled and hidden belong to the snapshot")
    func labels() async throws {
        let fan = Fan()
        func descriptors() async throws -> [String: SettingDescriptor] {
            let settings = try await source(of: fan).settings(for: fanAccessory)
            return Dictionary(uniqueKeysWithValues: settings.map { ($0.id, $0.descriptor) })
        }
        var read = try await descriptors()
        #expect(read["night"]?.label == "Night mode")
        #expect(read["night"]?.detail == "Runs quietly")
        #expect(read["night"]?.kind == .toggle(onLabel: "Quiet", offLabel: "Normal"))
        #expect(read["offset"]?.detail == "Of zone 3, in °C")
        #expect(read["speed"]?.label == "Speed of fan 3")
        #expect(read["name"]?.kind == .text(placeholder: "Name of the fan"))
        #expect(read["timer"]?.isEnabled == false)
        #expect(read["gain"]?.isEnabled == false)
        #expect(read["level"]?.isEnabled == true)
        #expect(read["most"]?.isHidden == true)
        #expect(read["least"]?.isHidden == false)

        fan.night = true
        read = try await descriptors()
        #expect(read["night"]?.label == "Night mode is on")
        #expect(read["night"]?.detail == nil, "a string in place of a label drops the longer text")
        #expect(read["timer"]?.isEnabled == true)
    }

    @Test("Options have the text form of their raw value and their label, in the order of the cases")
    func options() async throws {
        let settings = try await source(of: Fan()).settings(for: fanAccessory)
        let kinds = Dictionary(uniqueKeysWithValues: settings.map { ($0.id, $0.descriptor.kind) })
        #expect(
            kinds["level"]
                == .enumeration([
                    EnumerationOption(rawValue: "1", label: "Level 1"),
                    EnumerationOption(rawValue: "2", label: "Level 2"),
                    EnumerationOption(rawValue: "10", label: "Level 10"),
                ]))
        #expect(
            kinds["direction"]
                == .enumeration([
                    EnumerationOption(rawValue: "in", label: "Supply"),
                    EnumerationOption(rawValue: "out", label: "Exhaust"),
                ]))
    }

    @Test("A provider can cast what it gets to the types of its settings")
    func changes() async throws {
        let fan = Fan()
        let source = source(of: fan)
        let values: [String: SettingValue] = [
            "night": .toggle(true), "timer": .number(30), "offset": .number(1.5), "gain": .number(0.25),
            "least": .number(255), "most": .number(3), "level": .option("1"), "direction": .option("in"),
            "name": .text("Attic"), "speed": .number(2), "serial": .text("must not arrive"),
        ]
        let changes = try await source.settings(for: fanAccessory).map { setting in
            Setting(setting.descriptor, value: values[setting.id])
        }
        try await source.settingsDidChange(changes, for: fanAccessory)
        #expect(fan.received.count == values.count - 1, "an information never appears in a change")
        #expect(fan.night == true)
        #expect(fan.timer == 30)
        #expect(fan.offset == 1.5)
        #expect(fan.gain == 0.25)
        #expect(fan.least == 255)
        #expect(fan.most == 3)
        #expect(fan.level == .low)
        #expect(fan.direction == .supply)
        #expect(fan.name == "Attic")
        #expect(fan.speed == 2)
    }

    @Test("What a provider throws arrives unchanged")
    func errors() async throws {
        let source = source(of: Fan())
        let stranger = Setting(SettingDescriptor(id: "what", label: "", kind: .toggle()), value: .toggle(true))
        await #expect(throws: VentilationError.unknownSetting("what")) {
            try await source.settingsDidChange([stranger], for: fanAccessory)
        }
        let unreachable = HMAccessory(name: "Lamp", uniqueIdentifier: UUID(), isReachable: false)
        let lamp = LampExtension().accessorySettings[0].makeSource()
        await #expect(throws: CocoaError.self) { try await lamp.settings(for: unreachable) }
    }

    @Test("The body of an extension is flattened in order, and filters choose the accessories")
    func bodies() async throws {
        let settings = HouseExtension().accessorySettings
        #expect(settings.map { $0.makeSource().name } == ["VentilationProvider", "LampProvider", "LampProvider"])
        var accepted: [[Bool]] = []
        for accessory in [fanAccessory, lampAccessory] {
            var answers: [Bool] = []
            for entry in settings { answers.append(await entry.accepts(accessory)) }
            accepted.append(answers)
        }
        #expect(accepted == [[true, false, true], [false, true, true]])
        #expect(LampExtension().accessorySettings.count == 1)
        #expect(EmptyExtension().accessorySettings.isEmpty)
    }

    @Test("Conditions in a body choose its contents")
    func conditions() {
        func names() -> [String] {
            ConditionalExtension().accessorySettings.map { $0.makeSource().name }
        }
        ConditionalExtension.edition = .full
        ConditionalExtension.isBeta = false
        #expect(names() == ["LampProvider", "VentilationProvider", "LampProvider"])
        ConditionalExtension.isBeta = true
        #expect(names() == ["LampProvider", "LampProvider"])
        ConditionalExtension.edition = .none
        #expect(names() == ["LampProvider", "LampProvider", "LampProvider"])
        ConditionalExtension.isBeta = false
        ConditionalExtension.edition = .small
        #expect(names() == ["LampProvider"])
    }

    @Test("A provider reads the accessory: its model decides what a lamp shows")
    func accessory() async throws {
        let source = LampExtension().accessorySettings[0].makeSource()
        #expect(try await source.settings(for: lampAccessory).map(\.id) == ["brightness", "memory"])
        #expect(try await source.settings(for: fanAccessory).map(\.id) == ["brightness"])
        var change = try await source.settings(for: lampAccessory)[0]
        change.value = .number(5)
        try await source.settingsDidChange([change], for: lampAccessory)
        #expect(try await source.settings(for: lampAccessory)[0].value == .number(5))
        let other = LampExtension().accessorySettings[0].makeSource()
        #expect(try await other.settings(for: lampAccessory)[0].value == .number(80), "each source has a provider")
    }
}
