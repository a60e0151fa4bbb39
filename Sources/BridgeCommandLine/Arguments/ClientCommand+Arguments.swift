import SettingsBridge

extension ClientCommand {
    /// - Parameter verb: one of those that talk to a running bridge.
    init(_ verb: Command.Verb, _ found: FoundArguments) throws(UsageError) {
        switch verb {
        case .get:
            try found.expect(1...2, for: verb, missing: "get needs an accessory: get ACC [SET]")
            self = .get(accessory: found.positional[0], setting: found.positional.dropFirst().first)
        case .set:
            guard let accessory = found.positional.first, !accessory.isEmpty else {
                throw UsageError(
                    message: "set needs an accessory, a setting and a value: set ACC SET VALUE", verb: verb)
            }
            self = .set(accessory: accessory, try Self.changes(found.positional.dropFirst()))
        case .watch:
            try found.expect(0...2, for: verb)
            self = .watch(accessory: found.positional.first, setting: found.positional.dropFirst().first)
        case .healthcheck:
            try found.expect(0...0, for: verb)
            self = .healthcheck
        default:
            try found.expect(0...1, for: verb)
            self = .list(accessory: found.positional.first)
        }
    }

    /// `SET VALUE`, or one or more `SET=VALUE`. Two words are `SET VALUE` unless both have a `=`.
    private static func changes(_ words: ArraySlice<String>) throws(UsageError) -> [SettingChange] {
        var changes = words.compactMap(SettingChange.init)
        if words.count == 2, changes.count < 2, let setting = words.first, let value = words.last, !setting.isEmpty {
            changes = [SettingChange(setting: setting, value: value)]
        } else if changes.count < words.count || changes.isEmpty {
            throw .noChanges(words)
        }
        var names: Set<String> = []
        for change in changes where !names.insert(change.setting).inserted {
            throw UsageError(message: "\(change.setting) is given twice", verb: .set)
        }
        return changes
    }
}

extension SettingChange {
    /// `SET=VALUE`, split at the first `=`.
    init?(_ word: String) {
        guard let sign = word.utf8.firstIndex(of: UInt8(ascii: "=")), sign != word.startIndex else { return nil }
        self.init(setting: String(word[..<sign]), value: String(word[word.utf8.index(after: sign)...]))
    }
}

extension ClientOptions {
    /// Healthchecks of containers wait some seconds only.
    private static func usualTimeout(_ verb: Command.Verb) -> Duration { .seconds(verb == .healthcheck ? 5 : 30) }
    private static let timeouts = 0.1...3600

    init(_ verb: Command.Verb, _ options: [Option: String]) throws(UsageError) {
        self.init(
            configuration: options[.configuration], broker: options.filter { $0.key.key != nil },
            isJSON: options[.json] != nil, timeout: Self.usualTimeout(verb))
        guard let text = options[.timeout] else { return }
        guard let seconds = secondsOfDuration(text), Self.timeouts.contains(seconds) else {
            throw UsageError(message: "--timeout takes 100ms to 1h; got '\(text)'", verb: verb)
        }
        timeout = .seconds(seconds)
    }
}
