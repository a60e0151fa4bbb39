import Testing

@testable import DeviceProviders

@Suite("O10: secrets in what programs say") struct RedactionTests {
    private func hide(_ text: String, _ secrets: String...) -> String { Redaction(secrets).hide(text) }

    @Test func everyOccurrenceIsHidden() {
        #expect(hide("a pass-word and pass-word", "pass-word") == "a <secret> and <secret>")
        #expect(hide("nothing", "pass-word") == "nothing")
        #expect(hide("text") == "text")
    }

    @Test("A secret within another, and two that overlap, leave nothing of either")
    func overlaps() {
        #expect(hide("x pass-word-2 y", "pass", "pass-word-2") == "x <secret> y")
        #expect(hide("x pass-word-2 y", "pass-word-2", "pass") == "x <secret> y")
        #expect(hide("x abcdefgh y", "abcd", "cdefgh") == "x <secret> y")
    }

    @Test(
        "A secret is found the way programs write it",
        arguments: [
            #"a "b" c"#, "a\nb\tc\r", "a/b/c", "a\\b\\\\c", "é ü 🙂 x", "50% & more", "#?=&+;", "'quoted' $(id)",
            "\u{1b}[1m x",
        ])
    func escaped(_ secret: String) throws {
        let scalars = secret.unicodeScalars
        func joined(_ form: (Unicode.Scalar) -> String) -> String { scalars.map(form).joined() }
        let named: [Unicode.Scalar: String] = [
            "\"": "\\\"", "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r", "/": "\\/", "\u{1b}": "\\u001b",
        ]
        let hexadecimal = "0123456789abcdef".map { String($0) }
        func hex(_ byte: UInt8) -> String { hexadecimal[Int(byte) / 16] + hexadecimal[Int(byte) % 16] }
        let written = [
            secret,
            joined { named[$0] ?? String($0) },
            joined { $0 == "/" ? "/" : named[$0] ?? String($0) },
            joined { scalar in
                scalar.isASCII
                    ? named[scalar] ?? String(scalar)
                    : String(scalar).utf16.map { "\\u" + hex(UInt8($0 >> 8)) + hex(UInt8($0 & 255)) }.joined()
            },
            joined { String($0).utf8.map { "%" + hex($0).uppercased() }.joined() },
            joined { String($0).utf8.map { "%" + hex($0) }.joined() },
            joined {
                $0.properties.isAlphabetic && $0.isASCII ? String($0) : String($0).utf8.map { "\\x" + hex($0) }.joined()
            },
        ]
        for text in written {
            #expect(hide("<" + text + ">", secret) == "<<secret>>", "\(text)")
        }
    }

    @Test("The lines of a secret are hidden each for itself") func lines() {
        let key = "-----BEGIN KEY-----\nMIIEvQIBADAN\nBgkqhkiG9w0B\n-----END KEY-----\n"
        #expect(hide("can't parse: MIIEvQIBADAN", key) == "can't parse: <secret>")
        #expect(hide("line 3: BgkqhkiG9w0B; next", key) == "line 3: <secret>; next")
        #expect(
            hide(#"{"key":"-----BEGIN KEY-----\nMIIEvQIBADAN\nBgkqhkiG9w0B\n-----END KEY-----\n"}"#, key)
                == #"{"key":"<secret>"}"#)
        #expect(hide("ab\r\ncd!", "ab\ncd") == "<secret>!")
    }

    @Test("White space around a secret may be left out") func trimmed() {
        #expect(hide("[pass-word]", " pass-word\n") == "[<secret>]")
        #expect(hide("[ab\ncd]", "ab\ncd\n") == "[<secret>]")
    }

    @Test("One or two characters are hidden where they stand alone") func shortSecrets() {
        #expect(hide("code 42: 1423 failed at 42", "42") == "code <secret>: 1423 failed at <secret>")
        #expect(hide("ä4, 4ä, '4'", "4") == "ä4, 4ä, '<secret>'")
    }

    @Test("Long secrets are hidden whole, and so are their parts", arguments: [257, 300, 2_000])
    func longSecrets(_ count: Int) {
        let secret = String((0..<count).map { Character(Unicode.Scalar(UInt8(ascii: "a") + UInt8($0 * $0 % 26))) })
        #expect(hide("x \(secret) y", secret) == "x <secret> y")
    }

    @Test("Where a text is cut nothing of a secret is left", arguments: ["pass-word", "é\n\"🙂\" word", "42"])
    func cuts(_ secret: String) {
        let redaction = Redaction([secret])
        let bytes = Array((String(repeating: "- \(secret)", count: 500)).utf8)
        let pieces = Set(
            secret.split { !$0.isLetter && !$0.isNumber }.flatMap { word in word.indices.map { word[$0...] } })
        for cut in 3_000..<3_012 {
            let behind = redaction.text(Array(bytes.prefix(cut)), isCutBehind: true)
            let front = redaction.text(Array(bytes.suffix(cut)), isCutInFront: true)
            for text in [behind, front] {
                #expect(text.count > 500)
                let rest = text.replacing("<secret>", with: "")
                #expect(!pieces.contains { rest.contains($0) }, "\(rest)")
            }
        }
    }

    @Test("An excerpt ends after so many characters, with no part of a secret") func excerpts() {
        let redaction = Redaction(["pass-word"])
        #expect(redaction.excerpt("short pass-word\n!", limit: 80) == "short <secret> !")
        #expect(redaction.excerpt("0123456 pass-word", limit: 12) == "0123456 <sec…")
        #expect(redaction.excerpt(String(repeating: "x", count: 100_000), limit: 5) == "xxxxx…")
        #expect(
            redaction.excerpt(
                Array("abc".utf8) + Array(repeating: UInt8(ascii: "-"), count: 5_000), limit: 3, isCut: true) == "abc…")
    }

    @Test("Of what was written to settings the last values are hidden") func written() {
        let secrets = KnownSecrets(["configured"])
        for number in 0..<30 { secrets.add(["written-\(number)-"]) }
        let hidden = secrets.redaction.hide("configured written-0- written-29- written-10-")
        #expect(hidden == "<secret> written-0- <secret> <secret>")
    }
}
