import AccessorySettings
import Foundation
import HomeKit

extension AccessoryConfiguration {
    /// Percent-encoded it may be three times as long, and must still fit MQTT's 65,535 bytes with all around it.
    private static let idLimit = 1024

    /// Reads one element of `accessories`; `nil` when its `id` is unusable, which is reported.
    init?(reading section: SectionReader, defaults: BridgeConfiguration, factories: ProviderFactories) {
        let id = section.string("id", required: true, controls: .all)
        self.init(id: id ?? "?")
        name = section.string("name") ?? name
        room = section.string("room")
        manufacturer = section.string("manufacturer")
        model = section.string("model")
        firmware = section.string("firmware")
        hardwareVersion = section.string("hw_version")
        serialNumber = section.string("serial_number")
        category = section.word("category", of: HMAccessoryCategory.words)
        readUUID(section)
        timeout = section.timeout() ?? defaults.timeout
        refreshInterval = section.refreshInterval() ?? defaults.refreshInterval
        offlineAfter = section.offlineAfter() ?? defaults.offlineAfter
        provider = section.compound(
            "provider", required: factories.areRequired, hint: "; it says how the accessory is reached")
        makeSettings = factories.makeSettings(of: self, in: section)
        secrets = section.secrets
        usedBroker = section.usedBroker
        guard let id else { return nil }
        if id.utf8.count > Self.idLimit {
            section.fault("must not be longer than \(Self.idLimit) bytes", at: "id")
        }
    }

    private mutating func readUUID(_ section: SectionReader) {
        guard let text = section.string("uuid") else { return }
        if let uuid = UUID(uuidString: text) {
            self.uuid = uuid
        } else {
            section.fault("must be a UUID such as 3F2504E0-4F89-41D3-9A0C-0305E82C3301", at: "uuid")
        }
    }
}

/// What two accessories must not share.
struct AccessoryIdentities {
    private var lineOfID: [String: Int] = [:]
    private var idOfUUID: [UUID: String] = [:]

    mutating func check(_ accessory: AccessoryConfiguration, _ section: SectionReader) {
        if let line = lineOfID[accessory.id] {
            section.fault("'\(accessory.id.excerpt)' is the id of the accessory at line \(line) already", at: "id")
            return
        }
        lineOfID[accessory.id] = section.line(of: "id")
        if let owner = idOfUUID[accessory.uuid] {
            section.fault("is the uuid of accessory '\(owner.excerpt)' already", at: "uuid")
        }
        idOfUUID[accessory.uuid] = accessory.id
    }
}

/// The providers that exist.
struct ProviderFactories {
    private let factories: [any ProviderFactory]
    let areRequired: Bool

    init(_ factories: [any ProviderFactory], areRequired: Bool) {
        self.factories = factories
        self.areRequired = areRequired
    }

    /// Reads the `provider` section of an accessory; `nil` without one, and when a fault was reported.
    func makeSettings(
        of accessory: AccessoryConfiguration, in section: SectionReader
    ) -> (@MainActor @Sendable () -> HomeAccessorySettings)? {
        guard let provider = section.optionalSection("provider") else { return nil }
        guard let type = provider.word("type", of: factories.map(\.type), required: true),
            let factory = factories.first(where: { $0.type == type })
        else {
            // Without a type nobody knows which keys belong here.
            provider.ignoreUnknownKeys()
            return nil
        }
        return factory.makeSettings(from: provider, accessory: accessory)
    }
}
