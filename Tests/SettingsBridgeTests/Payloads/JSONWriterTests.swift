import Foundation
import Testing

@testable import SettingsBridge

@Suite("Writing JSON") struct JSONWriterTests {
    private func written(_ text: String) -> String {
        var writer = JSONWriter()
        writer.value(.string(text))
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test(
        "U+2028 and U+2029 end no line",
        arguments: [
            ("\u{2028}", #""\u2028""#), ("a\u{2029}b", #""a\u2029b""#), ("\u{2028}\u{2029}\n", #""\u2028\u2029\n""#),
            // Characters that begin with the same bytes.
            ("\u{2027}\u{202A}\u{20A8}\u{2128}é", "\"\u{2027}\u{202A}\u{20A8}\u{2128}é\""),
            ("€\u{2028}", #""€\u2028""#),
        ])
    func lineSeparators(_ text: String, _ expected: String) throws {
        #expect(written(text) == expected)
        #expect(try JSONValue.parse(Array(written(text).utf8)) == .string(text))
    }
}
