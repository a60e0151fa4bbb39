public import Foundation

extension String {
    /// A text with its interpolated values filled in, as `LocalizedStringResource` takes it.
    public struct LocalizationValue: Sendable, Hashable, ExpressibleByStringInterpolation {
        let text: String

        public init(_ value: String) {
            text = value
        }

        public init(stringLiteral value: String) {
            text = value
        }

        public init(stringInterpolation: StringInterpolation) {
            text = stringInterpolation.text
        }

        public struct StringInterpolation: StringInterpolationProtocol {
            var text: String

            public init(literalCapacity: Int, interpolationCount: Int) {
                text = ""
                text.reserveCapacity(literalCapacity + 8 * interpolationCount)
            }

            public mutating func appendLiteral(_ literal: String) {
                text += literal
            }

            public mutating func appendInterpolation<Value>(_ value: Value) {
                text += "\(value)"
            }

            public mutating func appendInterpolation(_ resource: LocalizedStringResource) {
                text += resource.resolved
            }

            /// - Parameter specifier: how `printf` would write the value, such as `%.1f`.
            public mutating func appendInterpolation<Value: CVarArg>(_ value: Value, specifier: String) {
                text += String(format: specifier, value)
            }

            public mutating func appendInterpolation<Style: FormatStyle>(_ value: Style.FormatInput, format: Style)
            where Style.FormatOutput == String {
                text += format.format(value)
            }
        }
    }

    /// The text of a resource, as it is shown to people.
    public init(localized resource: LocalizedStringResource) {
        self = resource.resolved
    }

    /// The text itself: there are no string catalogs to translate it with.
    public init(
        localized keyAndValue: LocalizationValue, table: String? = nil, bundle: Bundle? = nil, locale: Locale? = nil,
        comment: StaticString? = nil
    ) {
        self = keyAndValue.text
    }
}
