public import AccessorySettings

/// What is to be published of an accessory: the present state and which parts of it are news.
///
/// Conventions turn this into messages.
public struct AccessoryChange: Sendable {
    public let accessory: AccessoryConfiguration
    /// `nil` until the accessory was read for the first time.
    public let snapshot: Snapshot?
    public let isOnline: Bool
    public var parts: Parts

    public struct Parts: Sendable, Equatable {
        public var availability = false
        public var descriptors = false
        /// Positions in the snapshot of the settings whose value is to be published.
        public var values: [Int] = []
        /// Positions in the snapshot of the settings whose own availability is to be published.
        public var settingAvailability: [Int] = []
        /// Identifiers of settings whose topics are to be cleared.
        public var removed: [String] = []
        /// The accessory JSON.
        public var document = false
        /// Whether somebody may know nothing of the accessory: after a new connection, or a birth message.
        public var isComplete = false

        public var isEmpty: Bool { self == Parts() }
    }
}

extension AccessoryChange.Parts {
    /// Everything there is to say of a snapshot.
    static func everything(_ snapshot: Snapshot?) -> Self {
        guard let snapshot else { return Self(availability: true) }
        let all = Array(snapshot.settings.indices)
        return Self(availability: true, descriptors: true, values: all, settingAvailability: all, document: true)
    }

    /// What differs between two snapshots.
    ///
    /// - Parameter forced: identifiers of settings whose value is published even if it is the same.
    static func difference(from old: Snapshot?, to new: Snapshot, forced: Set<String>) -> Self {
        guard let old else {
            var parts = everything(new)
            parts.availability = false
            return parts
        }
        var parts = Self()
        var isSameList = old.settings.count == new.settings.count
        for (position, setting) in new.settings.enumerated() {
            // Nearly always the same settings in the same order: then no table is asked.
            let isInPlace = position < old.settings.count && old.settings[position].id == setting.id
            isSameList = isSameList && isInPlace
            guard let before = isInPlace ? old.settings[position] : old[setting.id] else {
                parts.values.append(position)
                parts.settingAvailability.append(position)
                continue
            }
            if before.value != setting.value || (!forced.isEmpty && forced.contains(setting.id)) {
                parts.values.append(position)
            }
            if before.descriptor != setting.descriptor {
                parts.descriptors = true
                if before.descriptor.isAvailable != setting.descriptor.isAvailable {
                    parts.settingAvailability.append(position)
                }
            }
        }
        if !isSameList {
            parts.descriptors = true
            parts.removed = old.settings.map(\.id).filter { new[$0] == nil }
        }
        parts.document = !parts.values.isEmpty || !isSameList
        return parts
    }
}

extension SettingDescriptor {
    /// Whether people can use the setting at the moment.
    public var isAvailable: Bool { isEnabled && !isHidden }
}

extension AccessoryChange.Parts {
    /// Adds what `/get` messages want to see again.
    mutating func include(_ gets: [GetRequest], in snapshot: Snapshot) {
        for get in gets {
            if let setting = get.setting {
                if let position = snapshot.position(of: setting) { add(position) }
            } else {
                let removed = removed
                self = .everything(snapshot)
                self.removed = removed
                return
            }
        }
    }

    private mutating func add(_ position: Int) {
        if !values.contains(position) { values.append(position) }
        document = true
    }
}
