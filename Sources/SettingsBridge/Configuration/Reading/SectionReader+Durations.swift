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
        guard let seconds = seconds(value) else {
            fault("must be a duration such as \"90s\" or 90 (units ms, s, m, h), found \(found(value))", at: key)
            return nil
        }
        // Compared as numbers: what is far too long would not fit a duration.
        let isAllowed =
            (range.lowerBound.inSeconds...range.upperBound.inSeconds).contains(seconds) || (allowsZero && seconds == 0)
        guard isAllowed, !wholeSeconds || seconds == seconds.rounded() else {
            let zero = allowsZero && range.lowerBound > .zero ? "0 or " : ""
            let unit = wholeSeconds ? " in whole seconds" : ""
            fault(
                "must be \(zero)\(range.lowerBound.shortText) to \(range.upperBound.shortText)\(unit), "
                    + "found \(found(value))", at: key)
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
        case .string(let text): "'\(text.excerpt)'"
        case .number(let number): number.isFinite ? "\(number.plainText) seconds" : "a number that is not finite"
        default: value.kindName
        }
    }
}

/// The seconds of `500ms`, `1.5s`, `2m`, `1h` or `90`.
package func secondsOfDuration(_ text: String) -> Double? {
    let digits = text.prefix { "0123456789.-".contains($0) }
    guard let count = decimalNumber(digits) else { return nil }
    return switch text[digits.endIndex...] {
    case "ms": count / 1000
    case "s", "": count
    case "m": count * 60
    case "h": count * 3600
    default: nil
    }
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
