package import Foundation

extension LogEntry {
    /// `2026-11-30T02:24:50.123Z`
    package static let timeFormat = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    /// The line as a JSON object.
    package var json: [UInt8] {
        var json = JSONWriter()
        json.object {
            $0.field("time", time.formatted(Self.timeFormat))
            $0.field("level", level.rawValue)
            $0.field("source", source)
            $0.field("message", message)
        }
        return json.bytes
    }
}
