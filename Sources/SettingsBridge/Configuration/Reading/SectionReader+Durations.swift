extension SectionReader {
    /// A duration: seconds as a number, or a string with `ms`, `s`, `m` or `h`.
    ///
    /// - Parameters:
    ///   - range: the shortest and the longest allowed duration.
    ///   - allowsZero: whether 0 ("never") is allowed beside `range`.
    ///   - wholeSeconds: whether fractions of a second are refused.
    public func duration(
        _ key: String, in range: ClosedRange<Duration>, allowsZero: Bool = false, wholeSeconds: Bool = false,
        required: Bool = false
    ) -> Duration? {
        declare(
            key, .duration, required: required, range: range.lowerBound.inSeconds...range.upperBound.inSeconds,
            allowsZero: allowsZero)
        guard let value = scalar(key, required: required) else { return nil }
        let limits = "\(range.lowerBound.shortText) to \(range.upperBound.shortText)"
        let unit = wholeSeconds ? ", in whole seconds" : ""
        guard let seconds = seconds(value) else {
            fault("must be a duration such as \"90s\" or 90 (units ms, s, m, h)\(found(value))", at: key)
            return nil
        }
        // Compared as numbers: what is far too long would not fit a duration.
        let bounds = range.lowerBound.inSeconds...range.upperBound.inSeconds
        let isAllowed = bounds.contains(seconds) || (allowsZero && seconds == 0)
        guard isAllowed, !wholeSeconds || seconds == seconds.rounded() else {
            let never = allowsZero && range.lowerBound > .zero ? "0 (never) or " : ""
            fault("must be \(never)\(limits)\(unit), found \(seconds.plainText)s", at: key)
            return nil
        }
        return .nanoseconds(Int64((seconds * 1e9).rounded()))
    }

    private func seconds(_ value: ConfigurationValue) -> Double? {
        switch value.content {
        case .number(let number): number.isFinite ? number : nil
        case .string(let text): secondsOfDuration(text)
        default: nil
        }
    }

    private func found(_ value: ConfigurationValue) -> String {
        switch value.content {
        case .string(let text): ", found '\(text.excerpt)'"
        case .number: ", found a number that is not finite"
        default: ", found \(value.kindName)"
        }
    }
}

/// The seconds of `500ms`, `1.5s`, `2m`, `1h` or `90`.
private func secondsOfDuration(_ text: String) -> Double? {
    let units: [(name: String, perSecond: Double, seconds: Double)] = [
        ("ms", 1000, 1), ("s", 1, 1), ("m", 1, 60), ("h", 1, 3600), ("", 1, 1),
    ]
    guard let unit = units.first(where: { text.hasSuffix($0.name) }) else { return nil }
    let digits = text.dropLast(unit.name.count)
    // A division keeps 100 ms exact where a factor of 0.001 would not.
    return decimalNumber(digits).map { $0 * unit.seconds / unit.perSecond }
}

extension Duration {
    var inSeconds: Double { self / .seconds(1) }

    /// In the largest unit that leaves a whole number: `90s`, `10m`, `100ms`.
    var shortText: String {
        let units: [(String, Duration)] = [("h", .seconds(3600)), ("m", .seconds(60)), ("s", .seconds(1))]
        for (name, unit) in units where self >= unit {
            let count = self / unit
            if count == count.rounded() { return count.plainText + name }
        }
        return self == .zero ? "0s" : (self / .milliseconds(1)).plainText + "ms"
    }
}
