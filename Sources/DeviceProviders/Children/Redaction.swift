import Foundation

/// Cuts secrets out of what programs say.
///
/// Programs repeat a secret in many ways: as it is, line by line, within JSON, within an address. So each of its
/// characters is found as it is and escaped the way JSON, shells and programming languages do, or percent-encoded.
struct Redaction: Sendable {
    /// How far apart the ends of a secret, or of one of its pieces, can be in bytes. Where a text is cut, this much beside
    /// the cut can be the rest of a secret, which nobody could tell from its end or beginning alone.
    static let reach = pieceLimit * 6

    /// A longer secret is looked for in pieces of so many bytes.
    private static let pieceLimit = 256

    /// A secret, or a piece of one.
    private struct Pattern: Hashable {
        var scalars: [Unicode.Scalar]
        /// Whether it is hidden only where no letter and no digit is beside it: one or two characters are part of many
        /// words and numbers.
        var standsAlone: Bool
    }

    /// How programs write each character that secrets are made of.
    private let forms: [Unicode.Scalar: [[UInt8]]]
    /// What may begin with each byte.
    private let beginnings: [[Pattern]]

    init(_ secrets: some Sequence<String>) {
        let patterns = Set(secrets.flatMap(Self.patterns))
        let forms = Dictionary(
            Set(patterns.flatMap(\.scalars)).map { ($0, $0.writtenForms) }, uniquingKeysWith: { first, _ in first })
        var beginnings = [[Pattern]](repeating: [], count: 256)
        for pattern in patterns {
            let bytes = pattern.scalars.first.flatMap { forms[$0] } ?? []
            for byte in Set(bytes.map { $0[0] }) { beginnings[Int(byte)].append(pattern) }
        }
        self.forms = forms
        self.beginnings = beginnings
    }

    private static func patterns(of secret: String) -> [Pattern] {
        let isShort = secret.unicodeScalars.count < 3
        // Whoever prints a text may leave out the white space around it, and print each of its lines for itself.
        let parts = [secret.trimmed] + secret.split(whereSeparator: \.isNewline).map(\.trimmed)
        let texts = isShort ? [secret] : [secret] + parts.filter { $0.unicodeScalars.count > 2 }
        return texts.filter { !$0.isEmpty }.flatMap(pieces).map { Pattern(scalars: $0, standsAlone: isShort) }
    }

    /// Overlapping where it does not divide evenly, so that none is short.
    private static func pieces(of text: String) -> [[Unicode.Scalar]] {
        let scalars = Array(text.unicodeScalars)
        // A scalar has at most four bytes.
        let size = text.utf8.count <= pieceLimit ? scalars.count : pieceLimit / 4
        return stride(from: 0, to: scalars.count, by: size).map { start in
            let start = min(start, scalars.count - size)
            return Array(scalars[start..<(start + size)])
        }
    }

    // MARK: Hiding

    func hide(_ text: String) -> String {
        forms.isEmpty ? text : self.text(Array(text.utf8))
    }

    /// The beginning of a text, for a sentence: on one line, at most `limit` characters.
    func excerpt(_ text: String, limit: Int) -> String {
        excerpt(text.utf8, limit: limit)
    }

    /// The beginning of a text in UTF-8.
    ///
    /// - Parameter isCut: whether more stood behind it.
    func excerpt(_ bytes: some Collection<UInt8>, limit: Int, isCut: Bool = false) -> String {
        let most = limit * 4 + Self.reach
        let isLong = bytes.count > most
        let text = text(Array(bytes.prefix(most)), isCutBehind: isLong || isCut)
        let shown = text.prefix(limit)
        return shown.withoutControls + (isLong || isCut || shown.endIndex < text.endIndex ? "…" : "")
    }

    /// A text in UTF-8 without the secrets.
    ///
    /// - Parameters:
    ///   - start: where to begin. What stands before is looked at only for secrets that reach beyond it.
    ///   - isCutInFront: whether more stood before it; then its first ``reach`` bytes are left out.
    ///   - isCutBehind: whether more stood behind it; then its last ``reach`` bytes are left out.
    func text(_ bytes: [UInt8], from start: Int = 0, isCutInFront: Bool = false, isCutBehind: Bool = false) -> String {
        var position = isCutInFront ? max(start, Self.reach) : start
        let end = isCutBehind ? bytes.count - Self.reach : bytes.count
        guard position < end else { return "" }
        var shown: [UInt8] = []
        for secret in secrets(in: bytes) where secret.upperBound > position && secret.lowerBound < end {
            if secret.lowerBound > position { shown += bytes[position..<secret.lowerBound] }
            shown += "<secret>".utf8
            position = secret.upperBound
        }
        if position < end { shown += bytes[position..<end] }
        return String(decoding: shown, as: UTF8.self)
    }

    // MARK: Finding

    /// Where secrets stand, in order, those that overlap as one.
    private func secrets(in bytes: [UInt8]) -> [Range<Int>] {
        guard !forms.isEmpty else { return [] }
        var found: [Range<Int>] = []
        for start in bytes.indices {
            let ends = beginnings[Int(bytes[start])].compactMap { end(of: $0, in: bytes, at: start) }
            guard let end = ends.max() else { continue }
            if let last = found.last, last.upperBound > start {
                found[found.count - 1] = last.lowerBound..<max(end, last.upperBound)
            } else {
                found.append(start..<end)
            }
        }
        return found
    }

    private func end(of pattern: Pattern, in bytes: [UInt8], at start: Int) -> Int? {
        // A backslash may stand for itself or belong to the next character, so that there can be several ways to go on.
        var positions = [start]
        for scalar in pattern.scalars {
            var next: [Int] = []
            for position in positions {
                for form in forms[scalar] ?? [] where bytes[position...].starts(with: form) {
                    if !next.contains(position + form.count) { next.append(position + form.count) }
                }
            }
            guard !next.isEmpty else { return nil }
            positions = next
        }
        if pattern.standsAlone {
            guard start == 0 || !bytes[start - 1].isPartOfWord else { return nil }
            positions.removeAll { $0 < bytes.count && bytes[$0].isPartOfWord }
        }
        return positions.max()
    }
}

extension StringProtocol {
    /// With a blank in the place of each control character.
    var withoutControls: String {
        String(map { $0.unicodeScalars.contains { $0.properties.generalCategory == .control } ? " " : $0 })
    }

    var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
