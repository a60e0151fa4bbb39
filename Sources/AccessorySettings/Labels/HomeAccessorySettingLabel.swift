/// The name of a setting or of an option, with an optional second, longer text.
///
/// A label can't be changed, only replaced: `$eco.label = "New"` makes one without the longer text.
public struct HomeAccessorySettingLabel: Sendable, ExpressibleByStringLiteral {
    public let label: LocalizedStringResource
    public let detailedLabel: LocalizedStringResource?

    /// - Parameter systemImage: the name of an SF Symbol. It is not kept, since only Apple's systems can draw it.
    public init(
        _ label: LocalizedStringResource, detailedLabel: LocalizedStringResource? = nil, systemImage: String? = nil
    ) {
        self.label = label
        self.detailedLabel = detailedLabel
    }

    public init(stringLiteral value: String) {
        label = LocalizedStringResource(stringLiteral: value)
        detailedLabel = nil
    }
}
