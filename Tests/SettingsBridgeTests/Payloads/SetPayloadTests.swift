import AccessorySettings
import Testing

@testable import SettingsBridge

@Suite struct SetPayloadTests {
    private let snapshot = Snapshot([
        Setting(SettingDescriptor(id: "power", label: "Power", kind: .toggle()), value: .toggle(true)),
        Setting(SettingDescriptor(id: "mode", label: "Mode", kind: .enumeration([])), value: nil),
    ])

    private func parse(_ payload: String) throws(Refusal) -> SetPayload {
        try SetPayload(Array(payload.utf8), forAccessoryWith: snapshot)
    }

    @Test("O27: all entries of a JSON set, in the order of the settings")
    func o27AllEntries() throws {
        let payload = try parse(#"{"mode":"cool","target":24.5,"power":"ON","transaction":"t-1"}"#)
        #expect(payload.entries.map(\.setting) == ["power", "mode", "target"])
        #expect(payload.entries.map(\.input) == [.json(.string("ON")), .json(.string("cool")), .json(.number(24.5))])
        #expect(payload.transaction == .string("t-1"))
    }

    @Test(
        "O07: what is no JSON object of settings",
        arguments: [
            #"{"power":"ON",}"#, "{'power':'OFF'}", #"{"power":"#, "power=ON", "[]", "42", "{}", #"{"transaction":1}"#,
            "null", "\"ON\"",
        ])
    func o07NoObject(_ payload: String) {
        do {
            _ = try parse(payload)
            Issue.record("\(payload) was accepted")
        } catch {
            #expect(error.code == .invalidPayload)
        }
    }

    @Test func aSettingNamedTransactionIsASetting() throws {
        let snapshot = Snapshot([Setting(SettingDescriptor(id: "transaction", label: "T", kind: .text()), value: nil)])
        let payload = try SetPayload(Array(#"{"transaction":"x"}"#.utf8), forAccessoryWith: snapshot)
        #expect(payload.entries.map(\.setting) == ["transaction"])
        #expect(payload.transaction == nil)
    }

    @Test func aTransactionComesBackAsItWas() throws {
        for text in ["17", "9007199254740993", "1.5", "\"a\\\"b\"", "[1,null,true]", #"{"a":{"b":[]}}"#] {
            let value = try JSONValue.parse(Array(text.utf8))
            var writer = JSONWriter()
            writer.value(value)
            #expect(String(decoding: writer.bytes, as: UTF8.self) == text)
        }
    }

    @Test func deepNestingIsRefusedNotFatal() {
        let payload = String(repeating: "[", count: 100_000)
        #expect(throws: JSONSyntaxError.self) { try JSONValue.parse(Array(payload.utf8)) }
    }
}
