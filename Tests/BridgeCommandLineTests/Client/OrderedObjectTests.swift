import Testing

@testable import BridgeCommandLine

@Suite struct OrderedObjectTests {
    private func members(_ json: String) -> [String] {
        OrderedObject(json.utf8).members.map { "\($0.key)=\(String(decoding: $0.json, as: UTF8.self))" }
    }

    @Test(arguments: [
        ("{}", []),
        (#"{"b":1,"a":2}"#, ["b=1", "a=2"]),
        (#" { "b" : [1, {"x": 2}, "]"] , "a" : {"b": "}"} } "#, [#"b=[1, {"x": 2}, "]"] "#, #"a={"b": "}"} "#]),
        (#"{"a\"b":"c\\","d":"{\"e\":1,"}"#, [#"a"b="c\\""#, #"d="{\"e\":1,""#]),
        (#"{"ü\u00fc":null}"#, ["üü=null"]),
        ("[1]", []),
        ("", []),
    ])
    func `members come in order, each with its own text`(_ json: String, _ expected: [String]) {
        #expect(members(json) == expected)
    }

    @Test func `half of an object has the members that are whole`() {
        #expect(members(#"{"a":1,"b":"#) == ["a=1"])
    }
}
