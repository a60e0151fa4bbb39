public import Foundation

/// An accessory of the home, as a provider or a filter sees it.
///
/// A stand-in for the class of Apple's HomeKit. It describes what the configuration says about the accessory and never
/// changes; there is no home behind it to ask. HomeKit holds the room weakly, since the home owns it; here the
/// accessory does.
public final class HMAccessory: NSObject, Sendable {
    public let name: String
    public let uniqueIdentifier: UUID
    public let isReachable: Bool
    /// Whether the accessory is connected through another one.
    public let isBridged: Bool
    public let isBlocked: Bool
    public let category: HMAccessoryCategory
    public let room: HMRoom?
    public let manufacturer: String?
    public let model: String?
    public let firmwareVersion: String?
    public let supportsIdentify: Bool
    /// The accessory's node on the home's Matter fabric. There is none here: `nil`.
    public let matterNodeID: UInt64?

    package init(
        name: String, uniqueIdentifier: UUID, isReachable: Bool = true, isBridged: Bool = false,
        isBlocked: Bool = false, category: HMAccessoryCategory = HMAccessoryCategory(HMAccessoryCategoryTypeOther),
        room: HMRoom? = nil, manufacturer: String? = nil, model: String? = nil, firmwareVersion: String? = nil
    ) {
        self.name = name
        self.uniqueIdentifier = uniqueIdentifier
        self.isReachable = isReachable
        self.isBridged = isBridged
        self.isBlocked = isBlocked
        self.category = category
        self.room = room
        self.manufacturer = manufacturer
        self.model = model
        self.firmwareVersion = firmwareVersion
        supportsIdentify = false
        matterNodeID = nil
    }
}
