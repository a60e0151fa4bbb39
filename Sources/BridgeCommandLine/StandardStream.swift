import Foundation

/// Standard output or standard error, without a buffer and without a lock that somebody else could hold.
enum StandardStream: Int32 {
    case output = 1
    case error = 2

    /// Writes all of it in one go, so that lines of several threads don't mix. What can't be written is dropped.
    ///
    /// - Returns: whether all of it was written.
    @discardableResult func write(_ text: String) -> Bool {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Foundation.write(rawValue, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            bytes = bytes.dropFirst(count)
        }
        return true
    }
}

extension String {
    /// The text with control characters written as `\n`, `\t` or `\u{7}`, so that it can't look like several lines.
    var onOneLine: String {
        guard unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { return self }
        return unicodeScalars.map { scalar in
            scalar.properties.generalCategory == .control ? scalar.escaped(asASCII: true) : String(scalar)
        }.joined()
    }
}
