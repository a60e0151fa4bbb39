import AccessorySettings

/// Notices what is wrong with snapshots and says each thing once, until it has ended.
struct Oddities: Sendable {
    private var known: Set<String> = []

    /// The sentences that were not true of the snapshot before.
    ///
    /// - Parameter warnings: what was wrong with the providers' answers already before they were joined.
    mutating func news(in snapshot: Snapshot, warnings: [String]) -> [String] {
        var present = warnings
        for setting in snapshot.settings {
            if let sentence = Self.oddity(of: setting) { present.append(sentence) }
        }
        guard !present.isEmpty || !known.isEmpty else { return [] }
        let news = present.filter { !known.contains($0) }
        known = Set(present)
        return news
    }

    /// A reading outside what the setting itself declares. It is published as it is.
    private static func oddity(of setting: Setting) -> String? {
        switch (setting.descriptor.kind, setting.value) {
        case (.range(let range), .number(let value)):
            if let lower = range.lowerBound, value < lower { break }
            if let upper = range.upperBound, value > upper { break }
            return nil
        case (.enumeration(let options), .option(let value)):
            if options.contains(where: { $0.rawValue == value }) { return nil }
            let names = options.map(\.rawValue).joined(separator: ", ")
            return "\(setting.id) reads '\(value)', which is none of its options \(names)"
        default: return nil
        }
        return "\(setting.id) reads outside its own bounds"
    }
}
