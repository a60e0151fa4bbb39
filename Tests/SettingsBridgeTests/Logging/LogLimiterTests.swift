import Foundation
import TestSupport
import Testing

@testable import SettingsBridge

@Suite struct LogLimiterTests {
    private var limiter = LogLimiter()
    private let start = ContinuousClock.now

    /// What is written of a line that comes after so many seconds.
    private mutating func take(
        _ message: String, _ level: LogLevel = .warning, source: String = "hallway", after seconds: Double = 0
    ) -> [String] {
        limiter.take(
            LogEntry(time: Date(timeIntervalSince1970: seconds), level: level, source: source, message: message),
            at: start.advanced(by: .seconds(seconds))
        ).map { "\($0.level) \($0.source): \($0.message)" }
    }

    private mutating func due(after seconds: Double) -> [String] {
        limiter.takeDue(at: start.advanced(by: .seconds(seconds)), time: Date(timeIntervalSince1970: seconds)).map {
            "\($0.level) \($0.source): \($0.message)"
        }
    }

    @Test mutating func `the same line again is counted, and told once`() {
        #expect(take("can't be read") == ["warning hallway: can't be read"])
        for number in 1...37 { #expect(take("can't be read", after: Double(number) / 5) == []) }
        #expect(limiter.due == start.advanced(by: .seconds(10)))
        #expect(due(after: 9.9) == [])
        #expect(due(after: 10) == ["warning hallway: 37 times more in the last 10 s: can't be read"])
        #expect(limiter.due == nil)
        #expect(take("can't be read", after: 11) == ["warning hallway: can't be read"])
        #expect(due(after: 21) == [], "it came once")
    }

    @Test mutating func `what was counted is told before the next line`() {
        _ = take("one")
        _ = take("one", after: 1)
        #expect(take("two", after: 12) == ["warning hallway: once more in the last 10 s: one", "warning hallway: two"])
    }

    @Test mutating func `the same words of another source or level are another line`() {
        _ = take("one")
        #expect(take("one", source: "attic") == ["warning attic: one"])
        #expect(take("one", .error) == ["error hallway: one"])
    }

    @Test mutating func `a source writes 20 different lines in 10 s`() {
        for number in 1...20 { #expect(take("\(number)").count == 1) }
        for number in 21...50 { #expect(take("\(number)", after: 1) == []) }
        #expect(take("21", source: "attic", after: 1).count == 1, "others are not concerned")
        #expect(due(after: 10) == ["warning hallway: 30 more lines of level warning in the last 10 s left out"])
        #expect(take("51", after: 10) == ["warning hallway: 51"])
    }

    @Test mutating func `noise hides no error, no warning and no information`() {
        for number in 1...1_000 { _ = take("\(number)", .debug) }
        #expect(take("information", .info).count == 1)
        for number in 1...1_000 { _ = take("\(number)", .info) }
        for number in 1...1_000 { _ = take("\(number)", .warning) }
        #expect(take("an error", .error) == ["error hallway: an error"])
    }

    @Test mutating func `debug has a wider limit, but has one`() {
        var written = 0
        for number in 1...1_000 { written += take("\(number)", .debug).count }
        #expect(written == 200)
        #expect(due(after: 10) == ["debug hallway: 800 more lines of level debug in the last 10 s left out"])
    }

    @Test mutating func `a start with 200 accessories is not cut`() {
        for number in 1...200 { #expect(take("is online", .info, source: "acc\(number)").count == 1) }
    }

    @Test mutating func `at the end everything is told`() {
        _ = take("one")
        _ = take("one", after: 1)
        let told = limiter.takeAll(time: Date(timeIntervalSince1970: 2))
        #expect(told.map(\.message) == ["once more in the last 10 s: one"])
        #expect(told.map(\.time) == [Date(timeIntervalSince1970: 2)], "when it is written")
    }

    @Test func `a summary comes though no further line does`() async throws {
        let sink = CollectingSink()
        let limited = LimitedLogSink(sink)
        let entry = LogEntry(time: Date(), level: .warning, source: "hallway", message: "can't be read")
        for _ in 1...3 { limited.write(entry) }
        #expect(sink.lines == ["warning hallway: can't be read"])
        try await waitUntil("the summary", within: .seconds(30)) { sink.lines.count == 2 }
        #expect(sink.lines.last == "warning hallway: 2 times more in the last 10 s: can't be read")
    }
}
