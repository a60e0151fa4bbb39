public import AccessorySettings
public import Foundation
import MQTT

/// One accessory of the configuration.
public struct AccessoryConfiguration: Sendable {
    /// Names the accessory on topics. Not empty, at most 1,024 bytes, distinct within a configuration.
    public var id: String
    /// For people; the `id` unless it is given.
    public var name: String
    public var room: String?
    public var manufacturer: String?
    public var model: String?
    public var firmware: String?
    public var hardwareVersion: String?
    public var serialNumber: String?
    /// One of the words that `HMAccessoryCategory` knows, as in `garageDoorOpener`.
    public var category: String?
    /// As given, else made from the `id`'s bytes.
    public var uuid: UUID
    /// How long a call of the provider may take.
    public var timeout: Duration
    /// How often the accessory is read; zero is never.
    public var refreshInterval: Duration
    /// After how many consecutive failures it is offline.
    public var offlineAfter: Int
    /// The `provider` section as it stands in the file.
    public var provider: ConfigurationValue?
    /// Makes the settings that the `provider` section describes; `nil` without one.
    public var makeSettings: (@MainActor @Sendable () -> HomeAccessorySettings)?
    /// The secrets of the `provider` section, which may have changed in their file though the section has not.
    var secrets: [Secret] = []
    /// The bridge's broker, where the provider works over it, which may change though the section has not.
    var usedBroker: MQTTSettings?

    /// An accessory with the defaults of a configuration that says nothing else.
    public init(id: String) {
        let defaults = BridgeConfiguration()
        self.id = id
        name = id
        uuid = .version5(of: id, in: .accessoryNamespace)
        timeout = defaults.timeout
        refreshInterval = defaults.refreshInterval
        offlineAfter = defaults.offlineAfter
    }
}

/// Equal are accessories that are configured alike; what was made from the `provider` section can't be compared.
extension AccessoryConfiguration: Equatable {
    public static func == (one: AccessoryConfiguration, other: AccessoryConfiguration) -> Bool {
        one.id == other.id && one.name == other.name && one.room == other.room
            && one.manufacturer == other.manufacturer && one.model == other.model && one.firmware == other.firmware
            && one.hardwareVersion == other.hardwareVersion && one.serialNumber == other.serialNumber
            && one.category == other.category && one.uuid == other.uuid && one.timeout == other.timeout
            && one.refreshInterval == other.refreshInterval && one.offlineAfter == other.offlineAfter
            && one.provider == other.provider && one.secrets == other.secrets && one.usedBroker == other.usedBroker
    }
}
