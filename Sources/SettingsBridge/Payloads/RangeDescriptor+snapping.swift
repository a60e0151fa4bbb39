package import AccessorySettings

extension RangeDescriptor {
    /// The allowed value nearest to `value`, or `nil` where it lies outside the bounds by more than half a step.
    ///
    /// Allowed are the multiples of the step counted from the lower bound (without one from the upper, else from 0),
    /// and the bounds themselves. Of two equally near values the upper is taken. Without a step everything within the
    /// bounds is allowed.
    package func snapped(_ value: Double) -> Double? {
        let tolerance = (step ?? 0) / 2
        // The last digits of a sum of floating-point numbers are noise: 30.25 is half a step of 0.5 above 30.
        let slack = tolerance * 1e-9
        if let lowerBound, value < lowerBound - tolerance - slack { return nil }
        if let upperBound, value > upperBound + tolerance + slack { return nil }
        if let lowerBound, value <= lowerBound { return lowerBound }
        if let upperBound, value >= upperBound { return upperBound }
        // A whole number that no integer type holds exactly would not reach the provider.
        if isInteger, abs(value) > 0x1p53 { return nil }
        guard let step else { return clamped(normalized(value)) }

        let origin = lowerBound ?? upperBound ?? 0
        let steps = ((value - origin) / step + 0.5 + 1e-9).rounded(.down)
        let below = origin + steps * step
        guard let upperBound else { return normalized(max(below, lowerBound ?? below)) }
        // The last stretch below the upper bound may be shorter than a step.
        if below > upperBound || upperBound - value <= abs(value - below) { return upperBound }
        return normalized(below)
    }

    /// Rounding to the declared precision may leave the bounds.
    private func clamped(_ value: Double) -> Double {
        min(max(value, lowerBound ?? value), upperBound ?? value)
    }

    /// What the range takes, for people: "5 to 30 °C in steps of 0.5".
    package var sentence: String {
        var sentence =
            switch (lowerBound, upperBound) {
            case (let lower?, let upper?): "\(NumberText.text(lower)) to \(NumberText.text(upper))"
            case (let lower?, nil): "\(NumberText.text(lower)) or more"
            case (nil, let upper?): "\(NumberText.text(upper)) or less"
            case (nil, nil): isInteger ? "a whole number" : "a number"
            }
        if let unit, !unit.isEmpty { sentence += " \(unit)" }
        if let step, !(isInteger && step == 1) { sentence += " in steps of \(NumberText.text(step))" }
        return sentence
    }
}
