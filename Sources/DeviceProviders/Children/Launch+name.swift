extension Launch {
    /// What people call it: the program without its folder; the script, where an interpreter runs one.
    var name: String { Self.name(of: arguments[...]) }

    private static func name(of arguments: ArraySlice<String>) -> String {
        guard let program = arguments.first?.fileName else { return "" }
        if program == "env" {
            // Its options and the variables it sets come before the program.
            let rest = arguments.dropFirst().drop { $0.hasPrefix("-") || $0.contains("=") }
            return rest.isEmpty ? program : name(of: rest)
        }
        guard let interpreter = interpreters[program.withoutVersion] else { return program }
        var rest = arguments.dropFirst()
        while let option = rest.first, option.hasPrefix("-") {
            // The program is an argument itself.
            if option.dropFirst().hasPrefix("-") == false, let last = option.last, interpreter.inline.contains(last) {
                return program
            }
            rest = rest.dropFirst(interpreter.optionsWithValue.contains(option) ? 2 : 1)
        }
        return rest.first?.fileName ?? program
    }

    private struct Interpreter {
        /// The letters of options that are followed by the text of a program.
        var inline: Set<Character>
        var optionsWithValue: Set<String> = []
    }

    private static let interpreters: [String: Interpreter] = {
        let shell = Interpreter(inline: ["c"], optionsWithValue: ["-o"])
        let python = Interpreter(inline: ["c"], optionsWithValue: ["-W", "-X"])
        let node = Interpreter(inline: ["e", "p"], optionsWithValue: ["-r", "--require", "--import"])
        return [
            "sh": shell, "ash": shell, "bash": shell, "dash": shell, "ksh": shell, "zsh": shell,
            "python": python, "pypy": python, "node": node, "nodejs": node,
            "perl": Interpreter(inline: ["e", "E"]), "ruby": Interpreter(inline: ["e"]),
            "lua": Interpreter(inline: ["e"]), "php": Interpreter(inline: ["r"]),
        ]
    }()
}

extension String {
    fileprivate var fileName: String { split(separator: "/").last.map { String($0) } ?? self }

    /// `python3.11` is `python`.
    fileprivate var withoutVersion: String {
        String(prefix { !$0.isNumber })
    }
}
