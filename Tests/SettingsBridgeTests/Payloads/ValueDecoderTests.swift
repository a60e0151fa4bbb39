import AccessorySettings
import Testing

@testable import SettingsBridge

@Suite struct ValueDecoderTests {
    private static let toggle = SettingDescriptor(id: "power", label: "Power", kind: .toggle())
    private static let target = SettingDescriptor(
        id: "target", label: "Target",
        kind: .range(RangeDescriptor(lowerBound: 5, upperBound: 30, step: 0.5, unit: "°C")))
    private static let interval = SettingDescriptor(
        id: "interval", label: "Interval",
        kind: .range(RangeDescriptor(lowerBound: 10, upperBound: 3_600, step: 10, isInteger: true, unit: "s")))
    private static let mode = SettingDescriptor(
        id: "mode", label: "Mode",
        kind: .enumeration([
            EnumerationOption(rawValue: "heat", label: "Heating"),
            EnumerationOption(rawValue: "cool", label: "Cooling"),
            EnumerationOption(rawValue: "auto", label: "Automatic"),
        ]))
    private static let text = SettingDescriptor(id: "display_text", label: "Text", kind: .text())

    private func decode(
        _ payload: String, _ descriptor: SettingDescriptor, current: SettingValue? = nil
    ) throws(Refusal) -> SettingValue {
        try decode(Array(payload.utf8), descriptor, current: current)
    }

    private func decode(
        _ payload: [UInt8], _ descriptor: SettingDescriptor, current: SettingValue? = nil
    ) throws(Refusal) -> SettingValue {
        let entry = SetPayload(payload, for: descriptor.id).entries[0]
        return try ValueDecoder(descriptor: descriptor, current: current).decode(entry.input)
    }

    @Test(
        "O05: spellings of on and off",
        arguments: [
            ("ON", true), ("off", false), ("True", true), ("FALSE", false), ("1", true), ("0", false), ("On", true),
            ("yes", true), ("NO", false), (" on\r\n", true), ("\"OFF\"", false), ("{\"value\": true}", true),
            ("{\"value\": 0}", false), ("{\"value\": \"on\", \"transaction\": 7}", true),
        ])
    func o05Toggle(_ payload: String, _ value: Bool) throws {
        #expect(try decode(payload, Self.toggle) == .toggle(value))
    }

    @Test("O05: what is no spelling of on or off", arguments: ["2", "onn", "", "null", "{\"value\": null}", "[true]"])
    func o05NoToggle(_ payload: String) {
        #expect(throws: Refusal.self) { try decode(payload, Self.toggle) }
        do { _ = try decode(payload, Self.toggle) } catch { #expect(error.code == .invalidPayload) }
    }

    @Test func toggleInvertsWhatIsKnown() throws {
        #expect(try decode("TOGGLE", Self.toggle, current: .toggle(true)) == .toggle(false))
        #expect(
            throws: Refusal(
                .invalidPayload, setting: "power",
                "power can't be toggled, since its present value is unknown; send ON or OFF")
        ) { try decode("toggle", Self.toggle) }
    }

    @Test(
        "O25: spellings of numbers",
        arguments: [
            ("21", 21), ("21.0", 21), ("21.5", 21.5), ("2.15e1", 21.5), ("+22", 22), (" 22\r\n", 22), ("\"22\"", 22),
            ("{\"value\": 22}", 22),
        ])
    func o25Number(_ payload: String, _ value: Double) throws {
        #expect(try decode(payload, Self.target) == .number(value))
    }

    @Test func o25WholeNumber() throws {
        #expect(try decode("30.0", Self.interval) == .number(30))
    }

    @Test(
        "O25, O33: numbers that are refused",
        arguments: [
            (
                "21,5", Refusal.Code.invalidPayload,
                "target takes 5 to 30 °C in steps of 0.5; got '21,5' (write the decimal point as a point: 21.5)"
            ),
            ("abc", .invalidPayload, "target takes 5 to 30 °C in steps of 0.5; got 'abc'"),
            ("0x15", .invalidPayload, "target takes 5 to 30 °C in steps of 0.5; got '0x15'"),
            ("nan", .invalidPayload, "target takes 5 to 30 °C in steps of 0.5; got 'nan'"),
            ("inf", .invalidPayload, "target takes 5 to 30 °C in steps of 0.5; got 'inf'"),
            ("1e999", .invalidPayload, "target takes 5 to 30 °C in steps of 0.5; got '1e999'"),
            ("99", .outOfRange, "target takes 5 to 30 °C in steps of 0.5; got 99"),
            ("31", .outOfRange, "target takes 5 to 30 °C in steps of 0.5; got 31"),
            ("4.5", .outOfRange, "target takes 5 to 30 °C in steps of 0.5; got 4.5"),
        ])
    func o25NumberRefused(_ payload: String, _ code: Refusal.Code, _ sentence: String) {
        #expect(throws: Refusal(code, setting: "target", sentence)) { try decode(payload, Self.target) }
    }

    @Test(
        "O12: options in any case, labels too",
        arguments: [
            ("heat", "heat"), ("HEAT", "heat"), ("Heating", "heat"), ("cooling", "cool"), (" cool ", "cool"),
            ("\"heat\"", "heat"),
        ])
    func o12Option(_ payload: String, _ value: String) throws {
        #expect(try decode(payload, Self.mode) == .option(value))
    }

    @Test func o12NoOption() {
        #expect(throws: Refusal(.notAnOption, setting: "mode", "mode takes one of heat, cool, auto; got 'dry'")) {
            try decode("dry", Self.mode)
        }
    }

    @Test func anAmbiguousOptionIsRefused() {
        let speed = SettingDescriptor(
            id: "speed", label: "Speed",
            kind: .enumeration([
                EnumerationOption(rawValue: "a", label: "Low"), EnumerationOption(rawValue: "A", label: "High"),
                EnumerationOption(rawValue: "b", label: "low"),
            ]))
        #expect(
            throws: Refusal(
                .notAnOption, setting: "speed", "speed takes one of a, A, b; got 'LOW', which fits several options")
        ) { try decode("LOW", speed) }
        #expect(throws: Never.self) { try decode("A", speed) }
    }

    @Test(
        "O24: text keeps blanks, one final newline goes",
        arguments: [
            ("two words \n", "two words "), ("  x", "  x"), ("a\n\n", "a\n"), ("a\r\n", "a"),
            ("\"quoted\"", "\"quoted\""),
            ("{\"value\":\"\"}", ""), ("{\"value\":\"x\",\"transaction\":1}", "x"),
            ("{\"other\":\"x\"}", "{\"other\":\"x\"}"),
            ("{\"value\":\"x\",\"more\":1}", "{\"value\":\"x\",\"more\":1}"),
        ])
    func o24Text(_ payload: String, _ value: String) throws {
        #expect(try decode(payload, Self.text) == .text(value))
    }

    @Test("O17: 300 characters are a text like any other")
    func o17LongText() throws {
        let text = String(repeating: "y", count: 300)
        #expect(try decode(text, Self.text) == .text(text))
        #expect(
            try decode(String(repeating: "y", count: 65_535), Self.text) == .text(String(repeating: "y", count: 65_535))
        )
        do {
            _ = try decode(String(repeating: "y", count: 65_536), Self.text)
            Issue.record("65,536 bytes were accepted")
        } catch {
            #expect(error.code == .tooLong)
        }
    }

    @Test("O21: what is no UTF-8 is refused with an excerpt")
    func o21NoUTF8() {
        #expect(throws: Refusal(.invalidPayload, setting: "mode", "mode takes UTF-8; got the bytes ff fe 68 65 61 74"))
        {
            try decode([0xFF, 0xFE, 0x68, 0x65, 0x61, 0x74], Self.mode)
        }
        #expect(
            throws: Refusal(
                .invalidPayload, setting: "display_text", "display_text takes UTF-8; got the bytes 63 61 66 e9")
        ) {
            try decode([0x63, 0x61, 0x66, 0xE9], Self.text)
        }
    }

    @Test func whatCannotBeChangedIsRefusedWhateverTheValue() {
        var setting = Self.toggle
        setting.isEnabled = false
        #expect(throws: Refusal(.disabled, setting: "power", "power is disabled at the moment")) {
            try decode("x", setting)
        }
        setting.isHidden = true
        #expect(throws: Refusal(.hidden, setting: "power", "power is hidden at the moment")) {
            try decode("ON", setting)
        }
        setting.kind = .information()
        #expect(throws: Refusal(.readOnly, setting: "power", "power is read-only")) { try decode("ON", setting) }
    }
}
