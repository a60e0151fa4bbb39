/// What the parser demands of one key, kept so that the JSON Schema can be compared with it.
package struct ConfigurationRule: Sendable, Hashable {
    package enum Kind: String, Sendable {
        case string, boolean, integer, number, scalar, duration, secret, word, strings, section, sections, json
    }

    /// The key with its sections; `[]` stands for every element of a list, `*` for names people choose.
    package var path: String
    package var kind: Kind
    package var isRequired: Bool
    /// Both ends included; seconds for a duration.
    package var range: ClosedRange<Double>?
    /// Whether 0 is allowed beside ``range``.
    package var allowsZero = false
    /// The allowed words.
    package var words: [String] = []

    init(
        _ kind: Kind, at path: String, isRequired: Bool, range: ClosedRange<Double>? = nil, allowsZero: Bool = false,
        words: [String] = []
    ) {
        self.path = path
        self.kind = kind
        self.isRequired = isRequired
        self.range = range
        self.allowsZero = allowsZero
        self.words = words
    }
}
