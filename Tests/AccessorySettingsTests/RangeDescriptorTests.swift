import AccessorySettings
import Testing

@Suite struct RangeDescriptorTests {
    @Test("Bounds that are not finite and steps that are no distance count as not declared")
    func sanitizes() {
        let range = RangeDescriptor(lowerBound: -.infinity, upperBound: .nan, step: 0)
        #expect(range.lowerBound == nil)
        #expect(range.upperBound == nil)
        #expect(range.step == nil)
        #expect(RangeDescriptor(step: -1).step == nil)
        #expect(RangeDescriptor(step: .nan).step == nil)
        #expect(RangeDescriptor(step: .infinity).step == nil)
        #expect(RangeDescriptor(step: 0.5).step == 0.5)
    }

    @Test("An integer type has step 1 unless it declares another")
    func integers() {
        #expect(RangeDescriptor(isInteger: true).step == 1)
        #expect(RangeDescriptor(step: 5, isInteger: true).step == 5)
        #expect(RangeDescriptor(step: -5, isInteger: true).step == 1)
        #expect(RangeDescriptor().step == nil)
    }

    @Test(
        "With a step, a value has as many decimals as the step and the bounds, which are allowed values",
        arguments: [
            (RangeDescriptor(step: 1), 0),
            (RangeDescriptor(step: 0.5), 1),
            (RangeDescriptor(lowerBound: 5, upperBound: 30, step: 0.1), 1),
            (RangeDescriptor(lowerBound: 0.25, step: 1), 2),
            (RangeDescriptor(lowerBound: 0, upperBound: 0.125, step: 0.5), 3),
            (RangeDescriptor(upperBound: 0.125, step: 0.5), 3),
            (RangeDescriptor(step: 1e-7), 7),
            (RangeDescriptor(step: 1e20), 0),
            (RangeDescriptor(step: 0.1, decimalPrecision: 3), 1),
            (RangeDescriptor(isInteger: true), 0),
            (RangeDescriptor(decimalPrecision: 2), 2),
            (RangeDescriptor(decimalPrecision: -2), 0),
            (RangeDescriptor(step: 1.0 / 3, decimalPrecision: 4), 4),
        ])
    func decimals(_ range: RangeDescriptor, _ decimals: Int) {
        #expect(range.decimals == decimals)
    }

    @Test("Without a step or with one that has no end of decimals, and without a precision, values have any number")
    func noDecimals() {
        #expect(RangeDescriptor(lowerBound: 0.5).decimals == nil)
        #expect(RangeDescriptor(step: 1.0 / 3).decimals == nil)
    }

    @Test(
        "O28: Noise of binary fractions goes, the rest of a value stays",
        arguments: [
            (RangeDescriptor(step: 0.1), 0.1 + 0.2, 0.3),
            (RangeDescriptor(step: 0.1), 0.7000000029802322, 0.7),
            (RangeDescriptor(step: 0.1), -0.1 - 0.2, -0.3),
            (RangeDescriptor(step: 0.1), 21, 21),
            (RangeDescriptor(lowerBound: 5, upperBound: 30, step: 0.5), 21.499999999999996, 21.5),
            (RangeDescriptor(lowerBound: 0.25, upperBound: 9.25, step: 1), 3.25, 3.25),
            (RangeDescriptor(step: 0.01), 1.005, 1.0),
            (RangeDescriptor(lowerBound: 5, upperBound: 30, step: 0.5), 99.5, 99.5),
            (RangeDescriptor(lowerBound: 5, upperBound: 30, step: 0.5), 20.3, 20.3),
            (RangeDescriptor(step: 1), 20.4, 20),
            (RangeDescriptor(step: 1e-7), 3e-7, 3e-7),
            (RangeDescriptor(decimalPrecision: 2), 3.14159, 3.14),
            (RangeDescriptor(decimalPrecision: 300), 3.14159, 3.14159),
            (RangeDescriptor(), 0.1 + 0.2, 0.1 + 0.2),
            (RangeDescriptor(step: 0.1), 4e15 + 0.5, 4e15 + 0.5),
            (RangeDescriptor(step: 0.1), 1e300, 1e300),
        ])
    func normalizes(_ range: RangeDescriptor, _ value: Double, _ expected: Double) {
        #expect(range.normalized(value) == expected)
    }

    @Test("Zero has no sign", arguments: [-0.0, -0.04, 0.04])
    func zero(_ value: Double) {
        #expect(RangeDescriptor(step: 0.1).normalized(value).sign == .plus)
        #expect(RangeDescriptor(step: 0.1).normalized(value) == 0)
    }

    @Test("Every step of a fine range is its own shortest decimal")
    func grid() {
        let range = RangeDescriptor(lowerBound: -10, upperBound: 10, step: 0.1)
        for count in 0...200 {
            let value = range.normalized(-10 + Double(count) * 0.1)
            #expect(value == Double("\((count - 100) / 10)").map { $0 + Double((count - 100) % 10) / 10 })
            #expect("\(value)".count <= 5)
        }
    }
}
