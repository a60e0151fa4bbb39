import Foundation
import Testing

@testable import DeviceProviders

@Suite("Answers byte by byte") struct HTTPAnswerReaderTests {
    /// Reads the text at once, byte by byte and cut at each place: always with the same result.
    private func read(_ text: String, closes: Bool = false, limit: Int = 100) -> Result<HTTPAnswer?, HTTPFailure> {
        let bytes = Array(text.utf8)
        func result(_ pieces: [ArraySlice<UInt8>]) -> Result<HTTPAnswer?, HTTPFailure> {
            Result { () throws(HTTPFailure) in
                var reader = HTTPAnswerReader(limit: limit)
                for piece in pieces { try reader.append(piece) }
                if closes { try reader.end() }
                return reader.completed
            }
        }
        let whole = result([bytes[...]])
        #expect(result(bytes.indices.map { bytes[$0...$0] }) == whole, "\(text)")
        for cut in bytes.indices { #expect(result([bytes[..<cut], bytes[cut...]]) == whole, "\(text) at \(cut)") }
        return whole
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}",
        "HTTP/1.1 200\r\nContent-Length: 2\r\n\r\n{}",
        "HTTP/1.1 200 OK\nContent-Length: 2\n\n{}",
        "\r\nHTTP/1.1 200 OK\r\ncontent-length:2\r\n\r\n{}",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nX: y\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}",
        "HTTP/1.1 200 OK\r\nNo colon\r\nX: a\r\n folded\r\nContent-Length: 2\r\n\r\n{}",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;x=y\r\n{\r\n01 \r\n}\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X\r\n\r\n2\r\n{}\r\n0\r\nX: y\r\n\r\n",
    ])
    func whatDevicesSend(_ text: String) throws {
        let answer = try #require(try read(text).get())
        #expect(answer.status == 200)
        #expect(String(decoding: answer.body, as: UTF8.self) == "{}")
    }

    @Test func withoutALengthTheBodyEndsWithTheConnection() throws {
        #expect(try read("HTTP/1.0 200 OK\r\n\r\n{}").get() == nil)
        #expect(try read("HTTP/1.0 200 OK\r\n\r\n{}", closes: true).get()?.body == Array("{}".utf8))
        #expect(try read("HTTP/1.1 204 No Content\r\n\r\n").get()?.body == [])
    }

    @Test(
        arguments: [
            ("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n", "its length '-5' is no number"),
            (
                "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
                "it has two lengths, '1' and '2'"
            ),
            ("HTTP/1.1 200 OK\r\nContent-Length: 1, 1\r\n\r\n", "its length '1, 1' is no number"),
            (
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
                "its transfer encoding 'gzip, chunked' is unknown"
            ),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "a chunk without a size"),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n", "a chunk without a size"),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n", "a chunk longer than its size"),
            (
                "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n",
                "its body is compressed (gzip), which was not asked for"
            ),
            ("HTTP/1.1 101 X\r\n\r\n", "it changes to another protocol, which was not asked for"),
        ])
    func whatIsNoHTTP(_ text: String, _ reason: String) throws {
        guard case .failure(.malformed(let found)) = read(text) else {
            Issue.record("\(text) was read")
            return
        }
        #expect(found == reason)
    }

    private static let chunked = Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)

    @Test(arguments: ["1\r\nx\r\n", "00000001;signature=abcdef\r\nx\r\n"])
    func chunksMayBeAsManyAsTheBodyHasBytes(_ chunk: String) throws {
        var reader = HTTPAnswerReader(limit: 15_000)
        try reader.append(Self.chunked)
        for _ in 0..<15 { try reader.append(Array(String(repeating: chunk, count: 1_000).utf8)) }
        try reader.append(Array("0\r\n\r\n".utf8))
        #expect(reader.completed?.body.count == 15_000)
    }

    @Test(arguments: ["1;\(String(repeating: "x", count: 100))\r\nx\r\n", "0\r\nX: y\r\n", "1;xxxxxx"])
    func chunksMayNotComeWithMuchMoreThanTheBody(_ text: String) throws {
        // What follows the first chunk of no size are trailers, and the last text is a line without an end.
        var reader = HTTPAnswerReader(limit: 1_000_000)
        try reader.append(Self.chunked)
        #expect(throws: HTTPFailure.malformed("too much around its chunks")) {
            for _ in 0..<100 { try reader.append(Array(String(repeating: text, count: 100).utf8)) }
        }
    }

    @Test(arguments: ["HTTP/1.1 OK", "garbage", " ", "HTTP/1.1 -20 OK", "HTTP/1.1", "RTSP/1.0 200 OK"])
    func whatDoesNotBeginAsHTTP(_ line: String) {
        #expect(read(line + "\r\n\r\n") == .failure(.notHTTP(line)))
    }

    @Test func limitsHold() throws {
        #expect(read("HTTP/1.1 200 OK\r\nContent-Length: 101\r\n\r\n") == .failure(.tooLarge(limit: 100)))
        #expect(
            read("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\n\r\n")
                == .failure(.tooLarge(limit: 100)))
        #expect(read("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n65\r\n") == .failure(.tooLarge(limit: 100)))
        var reader = HTTPAnswerReader(limit: 100)
        try reader.append(Array("HTTP/1.1 200 OK\r\n".utf8))
        #expect(throws: HTTPFailure.malformed("a header of more than 65536 bytes")) {
            for _ in 0..<10_000 { try reader.append(Array("X: yyyyyyyyyy\r\n".utf8)) }
        }
        var line = HTTPAnswerReader(limit: 100)
        #expect(throws: HTTPFailure.malformed("a header of more than 65536 bytes")) {
            for _ in 0..<10 { try line.append(Array(repeating: UInt8(ascii: "x"), count: 10_000)) }
        }
    }

    @Test func aConnectionIsKeptOnlyWhenItIsClean() throws {
        func keeps(_ text: String) throws -> Bool {
            var reader = HTTPAnswerReader(limit: 100)
            try reader.append(Array(text.utf8))
            #expect(reader.completed != nil)
            return reader.keepsConnection
        }
        #expect(try keeps("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"))
        #expect(try !keeps("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: Close\r\n\r\n"))
        #expect(try !keeps("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nmore"))
        #expect(try !keeps("HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n"))
        #expect(try keeps("HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n"))
    }

    @Test func headersHoldNoControlCharacters() throws {
        let answer = try read("HTTP/1.1 200 OK\r\nX-Token: a\rEvil: b\0\r\nContent-Length: 0\r\n\r\n").get()
        #expect(answer?.values("x-token") == ["aEvil: b"])
    }
}
