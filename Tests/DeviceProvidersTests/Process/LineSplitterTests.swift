import Testing

@testable import DeviceProviders

@Suite("Cutting output into lines") struct LineSplitterTests {
    private func lines(_ chunks: [String]) -> (lines: [String], rest: String) {
        var splitter = LineSplitter(limit: 100)
        let lines = append(chunks, to: &splitter)
        return (
            lines.map { String(decoding: $0.bytes, as: UTF8.self) },
            String(decoding: splitter.rest.bytes, as: UTF8.self)
        )
    }

    private func append(_ chunks: [String], to splitter: inout LineSplitter) -> [LineSplitter.Line] {
        chunks.flatMap { chunk in Array(chunk.utf8).withUnsafeBytes { splitter.append($0) } }
    }

    @Test(arguments: [
        (["a\nb\n"], ["a", "b"], ""),
        (["a", "b\nc", "\n", "d"], ["ab", "c"], "d"),
        (["a\r\n\nb"], ["a", ""], "b"),
        (["a\r", "\n"], ["a"], ""),
        ([""], [], ""),
    ])
    func linesComeWhole(_ chunks: [String], _ expected: [String], _ rest: String) {
        let result = lines(chunks)
        #expect(result.lines == expected)
        #expect(result.rest == rest)
    }

    @Test("Of a line that is too long the beginning is kept, however much follows", arguments: [1, 7, 1000])
    func longLines(_ chunk: Int) {
        let text = "abcd\n" + String(repeating: "x", count: 5000) + "\nabcde\r\n" + String(repeating: "y", count: 5000)
        let chunks = stride(from: 0, to: text.count, by: chunk).map { String(text.dropFirst($0).prefix(chunk)) }
        var splitter = LineSplitter(limit: 4)
        #expect(
            append(chunks, to: &splitter) == [
                LineSplitter.Line(bytes: Array("abcd".utf8)), LineSplitter.Line(bytes: Array("xxxx".utf8), isCut: true),
                LineSplitter.Line(bytes: Array("abcd".utf8), isCut: true),
            ])
        #expect(splitter.rest == LineSplitter.Line(bytes: Array("yyyy".utf8), isCut: true))
    }
}
