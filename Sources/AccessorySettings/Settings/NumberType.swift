/// How values of a numeric type become a `Double`.
///
/// Chosen by comparing types before casting: in generic code a cast to the very type is cheap, one that fails is not.
enum NumberType<Value: Numeric> {
    case double, float, int
    case otherInteger, otherFloatingPoint, other

    init(_ type: Value.Type) {
        if type == Double.self {
            self = .double
        } else if type == Int.self {
            self = .int
        } else if type == Float.self {
            self = .float
        } else if type is any BinaryInteger.Type {
            self = .otherInteger
        } else if type is any BinaryFloatingPoint.Type {
            self = .otherFloatingPoint
        } else {
            self = .other
        }
    }

    var isInteger: Bool {
        switch self {
        case .int, .otherInteger: true
        case .double, .float, .otherFloatingPoint, .other: false
        }
    }

    /// The least and the greatest number of a type of up to 32 bits: bounds that such a range has even if it declares none.
    /// The wider ones hold whatever settings are about.
    var least: Double? { limits?.lowerBound }
    var greatest: Double? { limits?.upperBound }

    private var limits: ClosedRange<Double>? {
        func limits<Number: FixedWidthInteger>(of type: Number.Type) -> ClosedRange<Double>? {
            type.bitWidth <= 32 ? Double(type.min)...Double(type.max) : nil
        }
        guard case .otherInteger = self, let type = Value.self as? any FixedWidthInteger.Type else { return nil }
        return limits(of: type)
    }

    /// The nearest `Double`; for a fraction in a type of less precision the one with the same shortest decimal, so that 0.7
    /// in a `Float` is 0.7. `nil` unless the value is a finite number.
    func double(_ value: Value) -> Double? {
        let result: Double?
        switch self {
        case .double: result = value as? Double
        case .int: result = (value as? Int).map { Double($0) }
        case .float: result = (value as? Float).flatMap { shortestDecimal($0) }
        case .otherInteger: result = (value as? any BinaryInteger).map { Double($0) }
        case .otherFloatingPoint: result = (value as? any BinaryFloatingPoint).flatMap { shortestDecimal($0) }
        case .other: result = Double("\(value)")  // Decimal, and any type that describes itself as a number
        }
        guard let result, result.isFinite else { return nil }
        return result
    }

    private func shortestDecimal<Number: BinaryFloatingPoint>(_ value: Number) -> Double? {
        let nearest = Double(value)
        if Number.significandBitCount >= Double.significandBitCount || value == value.rounded() { return nearest }
        // The description is the shortest decimal that reads back as the value, but making and parsing it costs ten times
        // as much as trying the few digits that settings have.
        var scale = 1.0
        for _ in 0..<6 {
            scale *= 10
            let candidate = (nearest * scale).rounded(.toNearestOrEven) / scale
            if Number(candidate) == value { return candidate }
        }
        return Double("\(value)")
    }
}
