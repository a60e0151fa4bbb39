public import Foundation

/// A text to show to people, which Apple's Foundation has and the one on Linux lacks.
///
/// There are no string catalogs here, so a text is shown as it was written. Its table, bundle and locale are kept but
/// change nothing, and the key of an interpolated text is the text itself.
public struct LocalizedStringResource: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// Where a string catalog would be found.
    public enum BundleDescription: Sendable, Hashable {
        case main
        case atURL(URL)

        public static func forClass(_ anyClass: AnyClass) -> Self {
            .atURL(Bundle(for: anyClass).bundleURL)
        }
    }

    private let text: String
    private var lookup: CatalogEntry?

    public init(stringLiteral value: String) {
        text = value
    }

    public init(stringInterpolation: String.LocalizationValue.StringInterpolation) {
        text = stringInterpolation.text
    }

    /// - Parameters:
    ///   - locale: the locale to show the text in; `nil` is the current one.
    ///   - comment: a note for translators, which is not kept.
    public init(
        _ keyAndValue: String.LocalizationValue, table: String? = nil, locale: Locale? = nil,
        bundle: BundleDescription = .main, comment: StaticString? = nil
    ) {
        text = keyAndValue.text
        lookup = CatalogEntry(key: nil, table: table, locale: locale, bundle: bundle)
    }

    /// - Parameters:
    ///   - locale: the locale to show the text in; `nil` is the current one.
    ///   - comment: a note for translators, which is not kept.
    public init(
        _ key: StaticString, defaultValue: String.LocalizationValue, table: String? = nil, locale: Locale? = nil,
        bundle: BundleDescription = .main, comment: StaticString? = nil
    ) {
        text = defaultValue.text
        lookup = CatalogEntry(key: "\(key)", table: table, locale: locale, bundle: bundle)
    }

    public var key: String { lookup?.key ?? text }
    public var defaultValue: String.LocalizationValue { String.LocalizationValue(text) }
    public var table: String? { lookup?.table }
    public var bundle: BundleDescription { lookup?.bundle ?? .main }

    public var locale: Locale {
        get { lookup?.locale ?? .current }
        set { lookup = CatalogEntry(key: lookup?.key, table: table, locale: newValue, bundle: bundle) }
    }

    /// The text to show.
    package var resolved: String { text }
}

/// What names a text in a string catalog. Most texts have none of it, so it lives apart and a text stays small.
private final class CatalogEntry: Sendable, Hashable {
    let key: String?
    let table: String?
    let locale: Locale?
    let bundle: LocalizedStringResource.BundleDescription

    /// Makes nothing when all is as it would be without an entry.
    init?(key: String?, table: String?, locale: Locale?, bundle: LocalizedStringResource.BundleDescription) {
        if key == nil, table == nil, locale == nil, bundle == .main { return nil }
        self.key = key
        self.table = table
        self.locale = locale
        self.bundle = bundle
    }

    static func == (one: CatalogEntry, other: CatalogEntry) -> Bool {
        one.key == other.key && one.table == other.table && one.locale == other.locale && one.bundle == other.bundle
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(key)
        hasher.combine(table)
    }
}
