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
}
