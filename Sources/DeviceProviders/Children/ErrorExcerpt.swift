/// The end of what a child printed on its standard error: programs say last why they end.
struct ErrorExcerpt: Sendable {
    private static let kept = 4096
    private static let shown = 300

    private var bytes: [UInt8] = []

    mutating func append(_ more: some Collection<UInt8>) {
        bytes += more.suffix(Self.kept)
        if bytes.count > Self.kept { bytes.removeFirst(bytes.count - Self.kept) }
    }

    /// On one line, without control characters; `nil` when nothing was printed.
    ///
    /// - Parameter secrets: texts to leave out.
    func sentence(hiding secrets: [String] = []) -> String? {
        // Of such a secret only the end may be here, which could not be told.
        guard !secrets.contains(where: { $0.utf8.count > Self.kept / 2 }) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self).hiding(secrets)
        let lines = text.split(whereSeparator: \.isNewline).map(\.withoutControls)
        let line = lines.filter { !$0.allSatisfy(\.isWhitespace) }.joined(separator: " | ")
        guard !line.isEmpty else { return nil }
        return line.count > Self.shown ? "…" + line.suffix(Self.shown) : line
    }
}

extension StringProtocol {
    /// With a blank in the place of each control character.
    var withoutControls: String {
        String(map { $0.unicodeScalars.contains { $0.properties.generalCategory == .control } ? " " : $0 })
    }

    /// Without these texts; those of one or two characters would make nonsense of it.
    func hiding(_ secrets: [String]) -> String {
        secrets.filter { $0.count > 2 }.reduce(String(self)) { $0.replacing($1, with: "<secret>") }
    }
}
