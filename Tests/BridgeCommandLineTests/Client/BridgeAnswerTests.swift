import AccessorySettings
import Testing

@testable import BridgeCommandLine

@Suite struct BridgeAnswerTests {
    @Test func `an answer is taken apart`() throws {
        let text = #"{"status":"ok","data":{"accessory":"a","settings":{"z":true,"a":21.5}},"transaction":"t"}"#
        let answer = try #require(BridgeAnswer(Array(text.utf8)))
        #expect(answer.status == .ok)
        #expect(answer.transaction == "t")
        #expect(String(decoding: answer.data, as: UTF8.self) == #"{"accessory":"a","settings":{"z":true,"a":21.5}}"#)
    }

    @Test func `a refusal has its sentence`() throws {
        let text = #"{"status":"error","data":{},"error":{"code":"x","message":"a: no","details":[]}}"#
        let answer = try #require(BridgeAnswer(Array(text.utf8)))
        #expect(answer.status == .error)
        #expect(answer.problem == "a: no")
        #expect(answer.transaction == nil)
    }

    @Test(arguments: ["", "{}", "[]", #"{"status":"maybe"}"#, #"{"status":1}"#, "{"])
    func `anything else is no answer`(_ text: String) {
        #expect(BridgeAnswer(Array(text.utf8)) == nil)
    }

    @Test func `values are written as on their topics, in the accessory's order`() {
        let json = #"{"settings":{"z":true,"y":false,"n":21,"m":0.3,"big":1e21,"mode":"heat","note":"","gone":null}}"#
        let values = AnsweredValues(Array(json.utf8)).values.map { "\($0.setting)=\($0.value ?? "-")" }
        #expect(
            values == [
                "z=ON", "y=OFF", "n=21", "m=0.3", "big=1000000000000000000000", "mode=heat", "note=", "gone=-",
            ])
    }

    @Test func `control characters in JSON are escaped, and it stays the same JSON`() {
        #expect(#"{"a":"é\n"}"#.escapedJSON == #"{"a":"é\n"}"#)
        #expect("{\"a\":\"\u{7f}\u{9b}x\"}".escapedJSON == #"{"a":"\u007f\u009bx"}"#)
    }

    @Test(arguments: [
        (#"{"healthy":true,"accessories":{"a":{"online":true},"b":{"online":false}}}"#, true),
        (#"{"healthy":false}"#, false), ("{}", false),
    ])
    func `health`(_ json: String, _ isHealthy: Bool) {
        #expect(HealthAnswer(Array(json.utf8)).isHealthy == isHealthy)
    }
}
