import Testing

@testable import DeviceProviders

@Suite("The end of standard error") struct ErrorExcerptTests {
    private let now = ContinuousClock.now
    private let none = Redaction([String]())

    @Test func linesBecomeOne() {
        var excerpt = ErrorExcerpt()
        #expect(excerpt.sentence(hiding: none) == nil)
        excerpt.append("first\n\n \n\tsecond\u{1b}\n".utf8)
        #expect(excerpt.sentence(hiding: none) == "first |  second ")
    }

    @Test("Only what came since counts") func since() {
        var excerpt = ErrorExcerpt()
        excerpt.append("long ago\n".utf8, at: now - .seconds(100))
        excerpt.append("now\n".utf8, at: now - .seconds(2))
        excerpt.append("just now\n".utf8, at: now)
        #expect(excerpt.sentence(hiding: none, since: now - .seconds(5)) == "now | just now")
        #expect(excerpt.sentence(hiding: none, since: now) == "just now")
        #expect(excerpt.sentence(hiding: none, since: now - .seconds(200)) == "long ago | now | just now")
        #expect(excerpt.sentence(hiding: none, since: now + .seconds(1)) == nil)
    }

    @Test("A secret that began to come before is hidden whole") func secretAcrossTime() {
        var excerpt = ErrorExcerpt()
        excerpt.append("it is pass".utf8, at: now - .seconds(100))
        excerpt.append("-word, no\n".utf8, at: now)
        #expect(excerpt.sentence(hiding: Redaction(["pass-word"]), since: now) == "<secret>, no")
    }

    @Test("What is forgotten leaves no end of a secret", arguments: [13, 5_000]) func forgotten(_ chunk: Int) {
        let text = Array(String(repeating: "pass-word ", count: 900).utf8)
        for end in 0..<10 {
            var excerpt = ErrorExcerpt()
            for start in stride(from: 0, to: text.count - end, by: chunk) {
                excerpt.append(text[start..<min(start + chunk, text.count - end)], at: now)
            }
            for beginning in [nil, now] {
                let sentence = excerpt.sentence(hiding: Redaction(["pass-word"]), since: beginning) ?? ""
                #expect(sentence.count == 301, "\(sentence)")
                #expect(!sentence.dropLast(10).contains("word"), "\(sentence)")
            }
        }
    }
}
