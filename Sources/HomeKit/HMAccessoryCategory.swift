public import Foundation

/// What an accessory mainly is. A stand-in for the class of Apple's HomeKit.
public final class HMAccessoryCategory: NSObject, Sendable {
    /// One of the `HMAccessoryCategoryType…` constants.
    public let categoryType: String
    /// The category in words, such as "Garage Door Opener".
    public let localizedDescription: String

    /// Makes the category of one of the `HMAccessoryCategoryType…` constants.
    package init(_ categoryType: String) {
        self.categoryType = categoryType
        localizedDescription =
            HMAccessoryCategory.entries.first { $0.type == categoryType }?.description ?? "Other"
    }

    /// Finds the category a configuration means by a short word such as `thermostat` or `garageDoorOpener`: what follows
    /// `HMAccessoryCategoryType` in the constant's name, beginning with a lowercase letter. Case doesn't matter.
    package convenience init?(word: String) {
        let wanted = word.lowercased()
        guard let entry = HMAccessoryCategory.entries.first(where: { $0.word.lowercased() == wanted }) else {
            return nil
        }
        self.init(entry.type)
    }

    /// Every word ``init(word:)`` knows, in the order of HomeKit's own list.
    package static let words: [String] = entries.map(\.word)

    public override func isEqual(_ object: Any?) -> Bool {
        (object as? HMAccessoryCategory)?.categoryType == categoryType
    }

    public override var hash: Int { categoryType.hashValue }
}
