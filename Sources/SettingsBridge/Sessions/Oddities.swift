import AccessorySettings

/// Notices what is wrong with snapshots: says each thing once, and when it has ended.
struct Oddities: Sendable {
    enum News: Sendable, Equatable {
        case begins(String)
        case ends(String)
    }

    /// What is wrong at the moment: a sentence for each setting, and those about the answer as a whole.
    private var settings: [String: String] = [:]
    private var warnings: [String] = []

    /// What is wrong with the snapshot and was not before, and what no longer is.
    ///
    /// - Parameter warnings: what was wrong with the providers' answers already before they were joined.
    mutating func news(in snapshot: Snapshot, warnings: [String]) -> [News] {
        var news = warnings.filter { !self.warnings.contains($0) }.map { News.begins($0) }
        news += self.warnings.filter { !warnings.contains($0) }.map { .ends("no longer so: \($0)") }
        self.warnings = warnings
        for setting in snapshot.settings {
            let sentence = Self.oddity(of: setting)
            if sentence == nil, settings.isEmpty { continue }
            // One that can't be read at the moment says nothing about its values.
            guard sentence != settings[setting.id], sentence != nil || setting.value != nil else { continue }
            settings[setting.id] = sentence
            news.append(sentence.map { .begins($0) } ?? .ends("\(setting.id) reads what it may be again"))
        }
        if !settings.isEmpty { settings = settings.filter { snapshot[$0.key] != nil } }
        return news
    }

    /// All that is wrong with a snapshot.
    static func all(in snapshot: Snapshot, warnings: [String]) -> [String] {
        warnings + snapshot.settings.compactMap(oddity)
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
