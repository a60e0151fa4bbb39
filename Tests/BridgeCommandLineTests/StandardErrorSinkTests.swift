import Foundation
import Testing

@testable import BridgeCommandLine
@testable import SettingsBridge

@Suite struct StandardErrorSinkTests {
    private func entry(_ level: LogLevel, _ message: String) -> LogEntry {
        LogEntry(
            time: Date(timeIntervalSince1970: 1_795_919_090.125), level: level, source: "hallway", message: message)
    }

    @Test(arguments: [
        (LogLevel.debug, "2026-11-29T02:24:50.125Z DEBUG hallway: a message"),
        (.info, "2026-11-29T02:24:50.125Z INFO  hallway: a message"),
        (.warning, "2026-11-29T02:24:50.125Z WARN  hallway: a message"),
        (.error, "2026-11-29T02:24:50.125Z ERROR hallway: a message"),
    ])
    func `text has time, level, source and message`(_ level: LogLevel, _ line: String) {
        #expect(StandardErrorSink.line(entry(level, "a message"), .text) == line)
    }

    @Test func `a message of several lines stays on one`() {
        let line = StandardErrorSink.line(entry(.info, "one\ntwo\r\u{1B}[31m"), .text)
        #expect(line == #"2026-11-29T02:24:50.125Z INFO  hallway: one\ntwo\r\u{1B}[31m"#)
    }

    @Test func `JSON is one object on one line`() throws {
        let line = StandardErrorSink.line(entry(.warning, "say \"hi\"\nnow"), .json)
        #expect(
            line
                == #"{"time":"2026-11-29T02:24:50.125Z","level":"warning","source":"hallway","message":"say \"hi\"\nnow"}"#
        )
    }
}
