/// Lines `key = value`, with sections and comments, of which single values are replaced and everything else stays as it
/// is.
struct INIText {
    /// Where a value stands.
    struct Place: Sendable, Hashable, CustomStringConvertible {
        /// `nil` for the lines before the first section.
        var section: String?
        var key: String

        var description: String { section.map { "[\($0)] \(key)" } ?? key }
    }

    /// Without their line feeds; a carriage return stays at the end.
    private var lines: [String]

    init(_ text: String) {
        // By scalars: CR LF is one character.
        lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
    }

    var text: String { lines.joined(separator: "\n") }

    /// The value without quotes around it and without a comment behind it. Of two the last counts.
    func value(at place: Place) -> String? {
        line(of: place).map { $0.line.value }
    }

    /// Replaces a value, or adds it at the end of its section.
    ///
    /// - Returns: why the value can't stand there; `nil` when it does.
    mutating func set(_ place: Place, to value: String) -> String? {
        var changed = self
        if let problem = changed.put(value, at: place) { return problem }
        guard let read = changed.value(at: place), read.unicodeScalars.elementsEqual(value.unicodeScalars) else {
            return "the value would not be read back as it is"
        }
        self = changed
        return nil
    }

    private mutating func put(_ value: String, at place: Place) -> String? {
        if let scalar = value.unicodeScalars.first(where: { $0.properties.generalCategory == .control }) {
            return "a value on one line can't hold the control character \(scalar.codePoint)"
        }
        if let (index, line) = line(of: place) {
            if let problem = line.problem(with: value) { return problem }
            lines[index] = line.prefix + line.quote + value + line.quote + line.suffix
            return nil
        }
        let isCRLF = lines.first?.unicodeScalars.last == "\r"
        let new = Line(prefix: place.key + (usesBlanks ? " = " : "="), quote: "", value: "", suffix: isCRLF ? "\r" : "")
        if let problem = new.problem(with: value) { return problem }
        insert(new.prefix + value + new.suffix, in: place.section, lineEnd: new.suffix)
        return nil
    }

    private mutating func insert(_ line: String, in section: String?, lineEnd: String) {
        var end: Int?
        var current: String?
        if section == nil { end = 0 }
        for (index, text) in lines.enumerated() {
            if let header = Self.header(text) { current = header }
            // Blank lines at the end of a section belong to what follows.
            if current == section, !text.allSatisfy(\.isWhitespace) { end = index + 1 }
        }
        guard let end else {
            if lines.last?.isEmpty == true { lines.removeLast() }
            lines += ["[\(section ?? "")]" + lineEnd, line, ""]
            return
        }
        // The last line may lack its line feed.
        lines.insert(line, at: end)
        if end == lines.count - 1 { lines.append("") }
    }

    /// Whether the file has blanks around its first equals sign.
    private var usesBlanks: Bool {
        lines.lazy.compactMap { Line.parse($0) }.first.map { $0.line.prefix.hasSuffix(" ") } ?? false
    }

    private func line(of place: Place) -> (index: Int, line: Line)? {
        var section: String?
        var found: (Int, Line)?
        for (index, text) in lines.enumerated() {
            if let header = Self.header(text) {
                section = header
            } else if section == place.section, let parsed = Line.parse(text), parsed.key == place.key {
                found = (index, parsed.line)
            }
        }
        return found
    }

    private static func header(_ line: String) -> String? {
        line.wholeMatch(of: #/\s*\[([^\]]*)\]\s*([#;].*)?/#.byScalars).map { String($0.1) }
    }
}

extension INIText {
    /// A line with a value, in parts that make the line again.
    private struct Line {
        /// Key, equals sign and blanks.
        var prefix: String
        /// Around the value: nothing, `"` or `'`.
        var quote: String
        var value: String
        /// Blanks, a comment and a carriage return.
        var suffix: String

        /// `nil` for a comment, a header and a blank line.
        static func parse(_ text: String) -> (key: String, line: Line)? {
            let end = text.hasSuffix("\r") ? "\r" : ""
            let text = text.dropLast(end.count)
            guard let match = text.wholeMatch(of: #/(\s*([^=#;\[\s]([^=]*[^=\s])?)\s*=\s*)(.*)/#.byScalars) else {
                return nil
            }
            let (prefix, key, rest) = (String(match.1), String(match.2), match.4)
            if let quoted = rest.wholeMatch(
                of: #/(?<quote>["'])(?<value>.*?)\k<quote>(?<suffix>\s*([#;].*)?)/#.byScalars)
            {
                return (
                    key,
                    Line(
                        prefix: prefix, quote: String(quoted.quote), value: String(quoted.value),
                        suffix: quoted.suffix + end)
                )
            }
            let comment = rest.firstMatch(of: #/(^|\s+)[#;]/#.byScalars)?.range.lowerBound ?? rest.endIndex
            let scalars = rest.unicodeScalars
            let last = scalars[..<comment].lastIndex { !$0.properties.isWhitespace }
            let valueEnd = last.map { scalars.index(after: $0) } ?? scalars.startIndex
            // A value that comes to stand before a comment needs a blank between.
            let blank = rest.firstMatch(of: #/^[#;]/#.byScalars) == nil ? "" : " "
            return (
                key,
                Line(
                    prefix: prefix, quote: "", value: String(scalars[..<valueEnd]),
                    suffix: blank + String(scalars[valueEnd...]) + end)
            )
        }

        /// Why the value would not be read back as it is.
        func problem(with value: String) -> String? {
            let scalars = value.unicodeScalars
            guard quote.isEmpty else {
                return scalars.contains { $0 == "\"" || $0 == "'" || $0 == "\\" }
                    ? "a value in quotes can't hold quotes or backslashes" : nil
            }
            guard let first = scalars.first, let last = scalars.last else { return nil }
            if first.properties.isWhitespace || last.properties.isWhitespace {
                return "a value without quotes can't begin or end with a blank"
            }
            if first == "\"" || first == "'" { return "a value can't begin with a quote" }
            if value.contains(#/(^|\s)[#;]/#.byScalars) {
                return "a value without quotes can't hold what begins a comment (# or ;)"
            }
            return last == "\\" ? "a value can't end with a backslash" : nil
        }
    }
}

extension Regex {
    /// A line may hold any scalar but a line feed, and a value may begin with one that joins the character before it.
    fileprivate var byScalars: Regex { matchingSemantics(.unicodeScalar).dotMatchesNewlines() }
}
