import Testing

@testable import DeviceProviders

@Suite("Cutting output into lines") struct LineSplitterTests {
    private func lines(_ chunks: [String]) -> (lines: [String], rest: String) {
        var splitter = LineSplitter()
        let lines = chunks.flatMap { chunk in Array(chunk.utf8).withUnsafeBytes { splitter.append($0) } }
        return (lines.map { String(decoding: $0, as: UTF8.self) }, String(decoding: splitter.rest, as: UTF8.self))
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
}
