import AccessorySettings
import SettingsBridge
import Testing

@testable import DeviceProviders

@Suite("What a device calls a value") struct ValueMappingTests {
    private func setting(_ kind: SettingKind, _ mapping: ValueMapping) -> DeclaredSetting {
        DeclaredSetting(descriptor: SettingDescriptor(id: "x", label: "", kind: kind), mapping: mapping)
    }

    @Test(
        "Null, a list and an object are neither on nor off",
        arguments: [
            ValueMapping(on: .integer(1)), ValueMapping(off: .integer(0)),
            ValueMapping(on: .integer(1), off: .integer(0)), ValueMapping(),
        ])
    func noToggle(_ mapping: ValueMapping) {
        let toggle = setting(.toggle(), mapping)
        for value in [JSONValue.null, .array([]), .object([:])] { #expect(mapping.value(value, of: toggle) == nil) }
        #expect(mapping.value(.integer(0), of: toggle) == .toggle(false))
        #expect(mapping.value(.string("1"), of: toggle) == .toggle(true))
    }

    @Test(
        "A number that is the device's own is told and shown digit for digit",
        arguments: [
            (6_330_912_101_855, JSONValue.integer(6_330_912_101_855), "6330912101855"),
            (1_764_489_713_123, .integer(1_764_489_713_123), "1764489713123"),
            (1_764_489_713_123.25, .number(1_764_489_713_123.25), "1764489713123.25"),
            (0.000_000_000_1, .number(0.000_000_000_1), "0.0000000001"),
            (-2, .integer(-2), "-2"),
        ])
    func unscaled(_ number: Double, _ device: JSONValue, _ text: String) {
        let mapping = ValueMapping()
        let range = setting(.range(RangeDescriptor()), mapping)
        #expect(mapping.device(.number(number), of: range) == device)
        #expect(mapping.value(device, of: range) == .number(number))
        #expect(mapping.value(device, of: setting(.information(unit: "ms"), mapping)) == .text(text))
    }

    @Test(
        "Of a calculated number the noise is left out, and nothing else",
        arguments: [
            (21.7, 0.1, JSONValue.integer(217)), (200_000.3, 0.1, .integer(2_000_003)),
            (6_330_912_101.855, 0.001, .integer(6_330_912_101_855)),
            (6_330_912_101_855, 0.5, .integer(12_661_824_203_710)),
            (1_764_489_713_123, 8, .number(220_561_214_140.375)), (0.3, 3, .number(0.1)),
        ])
    func scaled(_ number: Double, _ scale: Double, _ device: JSONValue) {
        let mapping = ValueMapping(scale: scale)
        #expect(mapping.device(.number(number), of: setting(.range(RangeDescriptor()), mapping)) == device)
    }

    @Test("No number becomes infinite", arguments: [1, 0.5, 1e-300], [1.5e300, -1.5e300])
    func finite(_ scale: Double, _ number: Double) {
        let mapping = ValueMapping(scale: scale)
        switch mapping.device(.number(number), of: setting(.range(RangeDescriptor()), mapping)) {
        case .number(let told): #expect(told.isFinite && (told < 0) == (number < 0))
        case let other: Issue.record("\(other)")
        }
        let greater = ValueMapping(scale: 1e300)
        #expect(greater.value(.number(number), of: setting(.range(RangeDescriptor()), greater)) == nil)
    }
}
