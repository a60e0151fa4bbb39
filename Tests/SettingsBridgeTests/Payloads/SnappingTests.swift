import AccessorySettings
import Testing

@testable import SettingsBridge

@Suite struct SnappingTests {
    @Test(
        arguments: [
            // From the lower bound; ties go up.
            (RangeDescriptor(lowerBound: 5, upperBound: 30, step: 0.5), 21.24, 21.0),
            (RangeDescriptor(lowerBound: 5, upperBound: 30, step: 0.5), 21.25, 21.5),
            (RangeDescriptor(lowerBound: 5, upperBound: 30, step: 0.5), 30.25, 30),
            (RangeDescriptor(lowerBound: 5, upperBound: 30, step: 0.5), 4.75, 5),
            (RangeDescriptor(lowerBound: 5, upperBound: 30, step: 0.5), 30.26, nil),
            (RangeDescriptor(lowerBound: 5, upperBound: 30, step: 0.5), 4.74, nil),
            (RangeDescriptor(lowerBound: 0, upperBound: 1, step: 0.1), 0.30000000000000004, 0.3),
            (RangeDescriptor(lowerBound: 0.25, upperBound: 2, step: 0.5), 1, 1.25),
            // A bound that is no multiple is allowed all the same.
            (RangeDescriptor(lowerBound: 0, upperBound: 10, step: 3), 9.4, 9),
            (RangeDescriptor(lowerBound: 0, upperBound: 10, step: 3), 9.5, 10),
            (RangeDescriptor(lowerBound: 0, upperBound: 10, step: 3), 10, 10),
            (RangeDescriptor(lowerBound: 0, upperBound: 10, step: 3), 11.5, 10),
            // Without a lower bound from the upper, without any from 0.
            (RangeDescriptor(upperBound: 10, step: 3), 8.4, 7),
            (RangeDescriptor(upperBound: 10, step: 3), 8.5, 10),
            (RangeDescriptor(step: 3), -4, -3),
            (RangeDescriptor(step: 3), -4.5, -3),
            (RangeDescriptor(lowerBound: 2, step: 3), 6.4, 5),
            // Without a step as it is, within the bounds exactly.
            (RangeDescriptor(lowerBound: 0, upperBound: 1), 0.123456, 0.123456),
            (RangeDescriptor(lowerBound: 0, upperBound: 1), 1.0001, nil),
            (RangeDescriptor(), 1e300, 1e300),
            // An integer type has step 1.
            (RangeDescriptor(lowerBound: -20, upperBound: 0, isInteger: true), -12, -12),
            (RangeDescriptor(lowerBound: -20, upperBound: 0, isInteger: true), -11.5, -11),
            (RangeDescriptor(isInteger: true), 7.2, 7),
            // What no integer type holds exactly.
            (RangeDescriptor(lowerBound: 3, step: 2, isInteger: true), 1e30, nil),
            (RangeDescriptor(isInteger: true), 0x1p63, nil),
            // A bound that is no multiple of the step keeps all its digits.
            (RangeDescriptor(lowerBound: 0, upperBound: 0.75, step: 0.5), 0.75, 0.75),
            (RangeDescriptor(lowerBound: 0.26, upperBound: 0.28, decimalPrecision: 1), 0.27, 0.28),
        ] as [(RangeDescriptor, Double, Double?)])
    func valueSnaps(_ range: RangeDescriptor, _ value: Double, _ snapped: Double?) {
        #expect(range.snapped(value) == snapped)
    }

    @Test("O28: every step of a decimal range is the short decimal")
    func o28NoNoise() {
        let range = RangeDescriptor(lowerBound: 0, upperBound: 1, step: 0.1)
        let texts = (0...10).map { range.snapped(Double($0) * 0.1).map(NumberText.text) }
        #expect(texts == ["0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1"])
    }
}

@Suite struct NumberTextTests {
    @Test(
        arguments: [
            (21, "21"), (21.5, "21.5"), (0.1 + 0.2, "0.30000000000000004"), (-0.0, "0"), (1e-7, "0.0000001"),
            (1.5e20, "150000000000000000000"), (1e15, "1000000000000000"), (-12, "-12"), (0.001, "0.001"),
            (123456.789, "123456.789"),
        ] as [(Double, String)])
    func numberHasNoExponent(_ value: Double, _ text: String) {
        #expect(NumberText.text(value) == text)
        #expect(NumberText.value(text) == value)
    }

    @Test(arguments: ["", "0x1A", "inf", "nan", "1_000", " 1", "1 ", "١"])
    func whatOnlyLooksLikeANumberIsNone(_ text: String) {
        #expect(NumberText.value(text) == nil)
    }
}
