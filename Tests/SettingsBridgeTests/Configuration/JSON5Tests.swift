import Testing

@testable import SettingsBridge

@Suite("JSON5")
struct JSON5Tests {
    private func value(_ text: String) throws -> ConfigurationValue.Content {
        try JSON5Parser.parse(Array(text.utf8)).value.content
    }

    private func syntaxFault(_ bytes: some Sequence<UInt8>) -> String? {
        do throws(SyntaxFault) {
            _ = try JSON5Parser.parse(Array(bytes))
            return nil
        } catch {
            return "\(error.position.line):\(error.position.column): \(error.message)"
        }
    }

    @Test(arguments: [
        ("0", 0), ("-0", 0), ("12", 12), ("+1", 1), ("-1.5", -1.5), (".5", 0.5), ("5.", 5), ("5.e1", 50),
        ("1e3", 1000), ("1E-3", 0.001), ("0x1A", 26), ("-0xff", -255), ("1e999", Double.infinity),
        ("Infinity", .infinity), ("-Infinity", -.infinity), ("0.1", 0.1), ("9007199254740993", 9_007_199_254_740_992),
    ])
    func numbers(text: String, number: Double) throws {
        #expect(try value(text) == .number(number))
    }

    @Test func notANumber() throws {
        guard case .number(let number) = try value("NaN") else {
            Issue.record("NaN is a number")
            return
        }
        #expect(number.isNaN)
    }

    @Test(arguments: [
        (#""a""#, "a"), ("'a\"b'", "a\"b"), (#""\"\\\/\b\f\n\r\t\v\0\x41\u00e9\q""#, "\"\\/\u{8}\u{C}\n\r\t\u{B}\0Aéq"),
        (#""\ud83c\udf21""#, "🌡"), ("\"a\\\nb\"", "ab"), ("\"a\\\r\nb\"", "ab"), ("\"\u{2028}\"", "\u{2028}"),
        ("\"“quoted”\"", "“quoted”"), ("\"// no comment\"", "// no comment"),
    ])
    func strings(text: String, string: String) throws {
        #expect(try value(text) == .string(string))
    }

    @Test func structure() throws {
        let text = """
            /* a comment */ { // another
              plain: 1, 'single': [true, false, null,], "double": {}, $_é1: [],
            }
            // the last one
            """
        let parsed = try JSON5Parser.parse(Array(text.utf8))
        guard case .object(let members) = parsed.value.content else {
            Issue.record("an object stands there")
            return
        }
        #expect(members.map(\.key) == ["plain", "single", "double", "$_é1"])
        #expect(members[1].keyPosition == ConfigurationPosition(line: 2, column: 13))
        #expect(members[1].value.origin == .file(ConfigurationPosition(line: 2, column: 23)))
        #expect(members[1].value.content.elements?.map(\.content) == [.boolean(true), .boolean(false), .null])
    }

    @Test func linesAreCountedWithEveryLineEnd() throws {
        let parsed = try JSON5Parser.parse(Array("\u{FEFF}[\r\n\r1,\n\t2]".utf8))
        #expect(
            parsed.value.content.elements?.map(\.origin) == [
                .file(ConfigurationPosition(line: 3, column: 1)), .file(ConfigurationPosition(line: 4, column: 2)),
            ])
    }

    @Test(arguments: [
        ("", "1:1: the file is empty"),
        (" \n // nothing\n", "1:1: the file is empty"),
        ("{\n  \"a\": “b”\n}", "2:8: a typographic quote “; use \" instead"),
        ("{\n  “a”: 1\n}", "2:3: a typographic quote “; use \" instead"),
        ("{\n\"a\": {\n\"b\": 1,\n", "4:1: unexpected end of the file; the object begun at line 2 is not closed"),
        ("{\n\"a\": [\n1", "3:2: unexpected end of the file; the list begun at line 2 is not closed"),
        ("{ \"a\": ", "1:8: unexpected end of the file; the object begun at line 1 is not closed"),
        ("{ \"a\"", "1:6: unexpected end of the file; the object begun at line 1 is not closed"),
        ("{ \"a\": 1 \"b\": 2 }", "1:10: a comma is missing before this"),
        ("[1 2]", "1:4: a comma is missing before this"),
        ("{ \"a\" 1 }", "1:7: unexpected '1'; expected ':' after the key"),
        ("{ \"a\" = 1 }", "1:7: unexpected '='; expected ':' after the key"),
        ("{ a: }", "1:6: unexpected '}'; expected a value"),
        ("{ a: 1,, }", "1:8: unexpected ','; expected a key or '}'"),
        ("[1; 2]", "1:3: unexpected ';'; expected ',' or ']'"),
        ("{ 1: 2 }", "1:3: unexpected '1'; expected a key or '}'"),
        ("{ a: True }", "1:6: write true in lower case"),
        ("{ a: bridge }", "1:6: text must stand in quotes: \"…\""),
        ("{ a: 1.2.3 }", "1:6: this is not a number; text must stand in quotes: \"…\""),
        ("{ a: 012 }", "1:6: this is not a number; text must stand in quotes: \"…\""),
        ("{ a: - 1 }", "1:6: this is not a number; text must stand in quotes: \"…\""),
        ("{ a: 12ab }", "1:6: this is not a number; text must stand in quotes: \"…\""),
        ("# comment", "1:1: unexpected '#'; a comment begins with //"),
        ("{ a: 1 # comment\n}", "1:8: unexpected '#'; a comment begins with //"),
        ("{ a: \"b\n}", "1:6: the string begun here is not closed on its line"),
        ("{ a: \"b", "1:8: unexpected end of the file; the string begun at line 1 is not closed"),
        ("{ /* a\n\n", "3:1: unexpected end of the file; the comment begun at line 1 is not closed"),
        ("{} {}", "1:4: unexpected '{' after the end of the configuration; only comments may follow"),
        ("{ \"a\\u12\": 1 }", "1:5: this escape needs 4 hexadecimal digits"),
        ("\"\\x4\"", "1:2: this escape needs 2 hexadecimal digits"),
        ("\"\\12\"", "1:2: an escape of digits; write \\u and four hexadecimal digits instead"),
        ("\"\\ud83c\"", "1:2: half of a surrogate pair; both halves must stand side by side"),
        ("\"\\ud83d\\u0041\"", "1:2: half of a surrogate pair; both halves must stand side by side"),
        ("\"\\udf21\\ud83c\"", "1:2: half of a surrogate pair; both halves must stand side by side"),
        ("{ a: 1\u{200B} }", "1:7: unexpected the character U+200B; expected ',' or '}'"),
    ])
    func syntaxFaults(text: String, sentence: String) {
        #expect(syntaxFault(text.utf8) == sentence)
    }

    @Test func encodingFaults() {
        #expect(syntaxFault(Array("{\n \"é\": \"".utf8) + [0xFF]) == "2:8: this is not UTF-8; save the file as UTF-8")
        #expect(syntaxFault([0xFF, 0xFE, 0x7B, 0x00]) == "1:1: the file is in UTF-16; save it as UTF-8")
        // A surrogate half and an overlong form are no UTF-8 either.
        #expect(syntaxFault([0x22, 0xED, 0xA0, 0x80, 0x22]) == "1:2: this is not UTF-8; save the file as UTF-8")
        #expect(syntaxFault([0x22, 0xC0, 0x80, 0x22]) == "1:2: this is not UTF-8; save the file as UTF-8")
    }

    @Test func nestingIsLimited() {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(syntaxFault(nested(64).utf8) == nil)
        #expect(syntaxFault(nested(65).utf8) == "1:65: objects and lists are nested more than 64 deep")
        #expect(
            syntaxFault(String(repeating: "{a:[", count: 100_000).utf8)
                == "1:129: objects and lists are nested more than 64 deep")
    }

    @Test func duplicateKeys() throws {
        let parsed = try JSON5Parser.parse(Array("{\n a: 1,\n b: 2,\n 'a': 3 }".utf8))
        #expect(
            parsed.duplicateKeys == [
                SyntaxFault(
                    position: ConfigurationPosition(line: 4, column: 2),
                    message: "duplicate key 'a'; it stands at line 2 already")
            ])
    }
}

extension ConfigurationValue.Content {
    fileprivate var elements: [ConfigurationValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }
}
