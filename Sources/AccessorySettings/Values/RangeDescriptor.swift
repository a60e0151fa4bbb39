/// The limits and the presentation of a range setting.
public struct RangeDescriptor: Sendable, Hashable {
    public var lowerBound: Double?
    public var upperBound: Double?
    /// The distance between two allowed values, greater than 0. An integer type without a declared step has 1.
    public var step: Double?
    /// Whether the setting's `Value` is an integer type, so that a provider must get whole numbers.
    public var isInteger: Bool
    public var unit: String?
    /// Digits after the decimal point, where the provider declares them.
    public var decimalPrecision: Int?

    /// Bounds that are not finite, and a step that is not finite and greater than 0, count as not declared.
    public init(
        lowerBound: Double? = nil, upperBound: Double? = nil, step: Double? = nil, isInteger: Bool = false,
        unit: String? = nil, decimalPrecision: Int? = nil
    ) {
        self.lowerBound = if let lowerBound, lowerBound.isFinite { lowerBound } else { nil }
        self.upperBound = if let upperBound, upperBound.isFinite { upperBound } else { nil }
        self.step = if let step, step.isFinite, step > 0 { step } else { isInteger ? 1 : nil }
        self.isInteger = isInteger
        self.unit = unit
        self.decimalPrecision = decimalPrecision
    }
}
