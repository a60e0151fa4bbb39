import AccessorySettings
import Foundation
import Testing

/// Range settings over all kinds of numbers, in neutral terms.
@Suite struct NumberConversionTests {
    private func number<Value: Comparable & Numeric>(_ value: Value?, step: Value? = nil) -> Double? {
        let setting = HomeAccessoryRangeSetting(id: "x", label: "X", currentValue: value, step: step).setting
        guard case .number(let number)? = setting.value else { return nil }
        return number
    }

    private func range<Value: Comparable & Numeric>(
        _ lowerBound: Value?, _ upperBound: Value?, step: Value? = nil
    ) -> RangeDescriptor? {
        let setting = HomeAccessoryRangeSetting(
            id: "x", label: "X", lowerBound: lowerBound, upperBound: upperBound, step: step
        ).setting
        guard case .range(let range) = setting.descriptor.kind else { return nil }
        return range
    }

    @Test("Integer types are read as they are")
    func integers() {
        #expect(number(42) == 42)
        #expect(number(Int8.min) == -128)
        #expect(number(UInt8.max) == 255)
        #expect(number(Int16(-3)) == -3)
        #expect(number(UInt16.max) == 65_535)
        #expect(number(Int32.min) == -2_147_483_648)
        #expect(number(UInt32.max) == 4_294_967_295)
        #expect(number(Int64(1) << 53) == 9_007_199_254_740_992)
        #expect(number(UInt64.max) == 0x1p64)
        #expect(number(UInt(7)) == 7)
        #expect(range(1, 5)?.isInteger == true)
        #expect(range(UInt8(1), 5)?.isInteger == true)
        #expect(range(Int64(1), 5)?.step == 1)
    }

    @Test("Floating-point types are read as their shortest decimal")
    func floatingPoint() {
        #expect(number(21.5) == 21.5)
        #expect(number(Float(0.7)) == 0.7)
        #expect(number(Float(21)) == 21)
        #expect(number(Float(-12.3)) == -12.3)
        #expect(number(Float(1e-20)) == 1e-20)
        #expect(number(Float(3.4e38)) == Double(Float(3.4e38)))
        #expect(number(Float(16_777.21)) == 16_777.21)
        #expect(number(CGFloat(0.7)) == 0.7)
        #expect(number(Decimal(string: "0.7")) == 0.7)
        #expect(number(Decimal(-3)) == -3)
        #expect(range(0.5, 1)?.isInteger == false)
        #expect(range(Float(0.1), 0.9, step: 0.1) == RangeDescriptor(lowerBound: 0.1, upperBound: 0.9, step: 0.1))
        #expect(
            range(Decimal(0), 1, step: Decimal(string: "0.05"))
                == RangeDescriptor(lowerBound: 0, upperBound: 1, step: 0.05))
    }

    @Test("A Float that can have a fraction becomes the number its description says")
    func floatDescription() {
        for bits in stride(from: UInt32(0x3000_0000), to: 0x4b80_0000, by: 99_991) {
            let value = Float(bitPattern: bits)
            #expect(number(value) == Double("\(value)"))
        }
    }

    @Test("O28: A step takes the noise off a value")
    func noise() {
        #expect(number(0.1 + 0.2, step: 0.1) == 0.3)
        #expect(number(Float(0.1) + Float(0.2), step: 0.1) == 0.3)
    }

    @Test("O08: A number that is not finite is unreadable, as a bound or step it is none")
    func notFinite() {
        #expect(number(Double.nan) == nil)
        #expect(number(Double.infinity) == nil)
        #expect(number(-Float.infinity) == nil)
        #expect(number(Decimal.nan) == nil)
        #expect(range(-Double.infinity, .nan, step: .infinity) == RangeDescriptor())
        #expect(range(0.0, 1, step: -0.5)?.step == nil)
        #expect(range(Float.nan, 2, step: 0)?.lowerBound == nil)
    }

    @Test("A numeric type of somebody's own is read through its description")
    func ownType() {
        #expect(number(Percent(37.5)) == 37.5)
        #expect(range(Percent(0), Percent(100)) == RangeDescriptor(lowerBound: 0, upperBound: 100))
    }
}

/// A numeric type that no library knows.
private struct Percent: Numeric, Comparable, CustomStringConvertible {
    var magnitude: Double
    init(_ value: Double) { magnitude = value }
    init?(exactly source: some BinaryInteger) { magnitude = Double(source) }
    init(integerLiteral value: Int) { magnitude = Double(value) }
    var description: String { "\(magnitude)" }
    static func < (one: Percent, other: Percent) -> Bool { one.magnitude < other.magnitude }
    static func + (one: Percent, other: Percent) -> Percent { Percent(one.magnitude + other.magnitude) }
    static func - (one: Percent, other: Percent) -> Percent { Percent(one.magnitude - other.magnitude) }
    static func * (one: Percent, other: Percent) -> Percent { Percent(one.magnitude * other.magnitude) }
    static func *= (one: inout Percent, other: Percent) { one.magnitude *= other.magnitude }
}
