public import Foundation

/// A room of the home. A stand-in for the class of Apple's HomeKit, without the list of its accessories.
public final class HMRoom: NSObject, Sendable {
    /// Unique within a home.
    public let name: String
    public let uniqueIdentifier: UUID

    package init(name: String, uniqueIdentifier: UUID) {
        self.name = name
        self.uniqueIdentifier = uniqueIdentifier
    }
}
