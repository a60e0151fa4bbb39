extension RangeDescriptor {
    /// Digits after the decimal point that a value can have: with a step, as many as the step and the bounds have, which
    /// are allowed values themselves; else ``decimalPrecision``. `nil`: any number of them.
    package var decimals: Int? {
        if let step, let ofStep = Self.decimals(of: step), let ofLower = Self.decimals(of: lowerBound ?? 0),
            let ofUpper = Self.decimals(of: upperBound ?? 0)
        {
            return max(ofStep, ofLower, ofUpper)
        }
        return decimalPrecision.map { max($0, 0) }
    }

    /// Removes the noise of binary fractions: 0.1 + 0.2 with a step of 0.1 is 0.3. Values keep their place otherwise, in
    /// particular between two steps or beyond a bound by more than the last digit.
    package func normalized(_ value: Double) -> Double {
        if value == value.rounded(.towardZero) { return value + 0 }  // + 0 makes -0 plain
        guard let decimals, decimals <= Self.mostDecimals else { return value }
        let scale = Self.powersOfTen[decimals]
        let scaled = (value * scale).rounded()
        // Beyond 2⁵³ a number has no digits left to round.
        return abs(scaled) < 0x1p53 ? scaled / scale + 0 : value
    }

    /// Digits after the point in the shortest decimal of a number; `nil` for one like ⅓, which has no end of them.
    private static func decimals(of value: Double) -> Int? {
        if value == value.rounded(.towardZero) { return 0 }
        for decimals in 1...mostDecimals {
            let scale = powersOfTen[decimals]
            if (value * scale).rounded() / scale == value { return decimals }
        }
        return nil
    }

    /// What a `Double` can tell apart.
    private static let mostDecimals = 15
    private static let powersOfTen: [Double] = (0...mostDecimals).map { Double("1e\($0)") ?? .nan }
}
