/// A range of values that a range setting can be declared with. Adopted by ranges of the standard library; not meant to be
/// adopted by other types.
public protocol HomeAccessoryRangeSettingDescriptor<Bound> {
    associatedtype Bound: Comparable, Numeric
    /// The least allowed value, where the range has one.
    var rangeLowerBound: Bound? { get }
    /// The greatest allowed value, where the range has one.
    var rangeUpperBound: Bound? { get }
}

extension ClosedRange: HomeAccessoryRangeSettingDescriptor where Bound: Numeric {
    public var rangeLowerBound: Bound? { lowerBound }
    public var rangeUpperBound: Bound? { upperBound }
}

extension PartialRangeFrom: HomeAccessoryRangeSettingDescriptor where Bound: Numeric {
    public var rangeLowerBound: Bound? { lowerBound }
    public var rangeUpperBound: Bound? { nil }
}

extension PartialRangeThrough: HomeAccessoryRangeSettingDescriptor where Bound: Numeric {
    public var rangeLowerBound: Bound? { nil }
    public var rangeUpperBound: Bound? { upperBound }
}
