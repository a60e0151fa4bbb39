import SettingsBridge

/// Arguments that don't make sense.
struct UsageError: Error, Equatable {
    /// What is wrong, and what would be right.
    var message: String
    /// The command that was meant, as far as that is known.
    var verb: Command.Verb?
}

extension UsageError {
    private static let general = ["--help", "--version"]

    static func unknownCommand(_ argument: String) -> UsageError {
        guard !argument.hasPrefix("-") else { return unknownOption(argument, for: nil) }
        let verbs = Command.Verb.allCases.map(\.rawValue)
        let hint =
            nearestName(to: argument, among: verbs).map { "; did you mean '\($0)'?" }
            ?? "; the commands are \(verbs.joined(separator: ", "))"
        return UsageError(message: "unknown command '\(argument)'\(hint)")
    }

    /// - Parameter verb: the command behind which it stands.
    static func unknownOption(_ name: String, for verb: Command.Verb?) -> UsageError {
        var hint = ""
        if let near = nearestOption(name, of: verb) {
            hint = "; did you mean '\(near)'?"
        } else if verb == nil, Option(name) != nil {
            hint = "; options stand behind the command"
        }
        return UsageError(message: "unknown option '\(name)'\(hint)", verb: verb)
    }

    static func unexpectedArgument(_ argument: String, for verb: Command.Verb) -> UsageError {
        UsageError(message: "unexpected argument '\(argument)'", verb: verb)
    }

    /// The words behind the accessory of `set` are no changes.
    static func noChanges(_ words: ArraySlice<String>) -> UsageError {
        let bad = words.filter { SettingChange($0) == nil }
        for word in bad where word.hasPrefix("-") {
            if let near = nearestOption(word, of: .set) {
                return UsageError(message: "'\(word)' is not SET=VALUE; did you mean '\(near)'?", verb: .set)
            }
            if let option = Option(word) {
                return UsageError(message: "behind the accessory write \(option.rawValue) for \(word)", verb: .set)
            }
        }
        guard words.count > 1, let word = bad.first else {
            return UsageError(message: "set needs a setting and a value: set ACC SET VALUE", verb: .set)
        }
        let hint = bad.count == words.count ? "; a value of several words needs quotes" : ""
        return UsageError(message: "'\(word)' is not SET=VALUE\(hint)", verb: .set)
    }

    private static func nearestOption(_ name: String, of verb: Command.Verb?) -> String? {
        let known = (verb?.options ?? []).map(\.rawValue) + general
        return nearestName(to: name, among: known)
            ?? known.first { name.count > 3 && $0.hasPrefix(name) }
    }
}
