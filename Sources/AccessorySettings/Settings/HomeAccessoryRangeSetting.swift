/// A number, usually within bounds.
@propertyWrapper public final class HomeAccessoryRangeSetting<Value: Comparable & Numeric>: HomeAccessorySetting {
    public let id: String
    public final var label: HomeAccessorySettingLabel
    /// `false`: shown, but people can't change it.
    public final var isEnabled: Bool
    public final var isHidden = false
    private let defaultValue: Value?
    private var currentValue: Value?
    private let lowerBound: Value?
    private let upperBound: Value?
    private let step: Value?
    private let unit: LocalizedStringResource?
    private let decimalPrecision: Int?
    private let isStepped: Bool

    /// - Parameters:
    ///   - defaultValue: what counts while there is no current value.
    ///   - currentValue: what the accessory says; `nil` when it can't be read.
    ///   - step: the distance between two allowed values. A stepped slider without one has 1.
    ///   - unit: the unit of the values, such as "°C".
    ///   - decimalPrecision: digits after the decimal point.
    ///   - valueFormat: for the Home app, as are the labels of the ends, the suffix and the style except its steps.
    @specialized(where Value == Double)
    @specialized(where Value == Int)
    @specialized(where Value == Float)
    @specialized(where Value == UInt8)
    public init(
        id: String, label: HomeAccessorySettingLabel, isEnabled: Bool = true, defaultValue: Value? = nil,
        currentValue: Value? = nil, lowerBound: Value? = nil, upperBound: Value? = nil, step: Value? = nil,
        unit: LocalizedStringResource? = nil, valueFormat: ValueFormat? = nil,
        minimumValueLabel: LocalizedStringResource? = nil, maximumValueLabel: LocalizedStringResource? = nil,
        valueSuffix: LocalizedStringResource? = nil, decimalPrecision: Int? = nil, sliderStyle: SliderStyle? = nil
    ) {
        self.id = id
        self.label = label
        self.isEnabled = isEnabled
        self.defaultValue = defaultValue
        self.currentValue = currentValue
        self.lowerBound = lowerBound
        self.upperBound = upperBound
        self.step = step
        self.unit = unit
        self.decimalPrecision = decimalPrecision
        isStepped = sliderStyle == .stepped
    }

    /// Makes a setting with the bounds of a range; else as the initializer with both bounds.
    @specialized(where Value == Double, R == ClosedRange<Double>)
    @specialized(where Value == Int, R == ClosedRange<Int>)
    public convenience init<R>(
        id: String, label: HomeAccessorySettingLabel, range: R, isEnabled: Bool = true, defaultValue: Value? = nil,
        currentValue: Value? = nil, step: Value? = nil, unit: LocalizedStringResource? = nil,
        valueFormat: ValueFormat? = nil, minimumValueLabel: LocalizedStringResource? = nil,
        maximumValueLabel: LocalizedStringResource? = nil, valueSuffix: LocalizedStringResource? = nil,
        decimalPrecision: Int? = nil, sliderStyle: SliderStyle? = nil
    ) where R: HomeAccessoryRangeSettingDescriptor, R.Bound == Value {
        self.init(
            id: id, label: label, isEnabled: isEnabled, defaultValue: defaultValue, currentValue: currentValue,
            lowerBound: range.rangeLowerBound, upperBound: range.rangeUpperBound, step: step, unit: unit,
            valueFormat: valueFormat, minimumValueLabel: minimumValueLabel, maximumValueLabel: maximumValueLabel,
            valueSuffix: valueSuffix, decimalPrecision: decimalPrecision, sliderStyle: sliderStyle)
    }

    /// The current value, or else the default. Assigning `nil` brings the default back.
    public final var wrappedValue: Value? {
        get { currentValue ?? defaultValue }
        set { currentValue = newValue }
    }

    public final var projectedValue: HomeAccessoryRangeSetting<Value> { self }
}

extension HomeAccessoryRangeSetting {
    public var setting: Setting {
        // Read at every refresh of every accessory: the usual types have code of their own, which is twice as fast.
        @specialized(where Value == Double)
        @specialized(where Value == Int)
        @specialized(where Value == Float)
        @specialized(where Value == UInt8)
        get {
            let numbers = NumberType(Value.self)
            let range = RangeDescriptor(
                lowerBound: lowerBound.flatMap { numbers.double($0) } ?? numbers.least,
                upperBound: upperBound.flatMap { numbers.double($0) } ?? numbers.greatest,
                step: step.flatMap { numbers.double($0) } ?? (isStepped ? 1 : nil), isInteger: numbers.isInteger,
                unit: unit?.resolved, decimalPrecision: decimalPrecision)
            return Setting(
                SettingDescriptor(id: id, label: label, isEnabled: isEnabled, isHidden: isHidden, kind: .range(range)),
                value: wrappedValue.flatMap { numbers.double($0) }.map { .number(range.normalized($0)) })
        }
    }
}
