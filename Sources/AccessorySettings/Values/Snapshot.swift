/// One setting as it was read: its description and its value.
public struct Setting: Sendable, Hashable, Identifiable {
    public var descriptor: SettingDescriptor
    /// `nil` when the accessory could not say.
    public var value: SettingValue?

    public var id: String { descriptor.id }

    public init(_ descriptor: SettingDescriptor, value: SettingValue?) {
        self.descriptor = descriptor
        self.value = value
    }
}

/// All settings of an accessory at one moment, in the order in which they are shown, each identifier once.
public struct Snapshot: Sendable, Equatable {
    public let settings: [Setting]
    private let positions: [String: Int]

    /// Makes a snapshot of settings with distinct identifiers. Of several with one identifier the first stays.
    ///
    /// - Parameter previous: an earlier snapshot of the same accessory; where it lists the same identifiers its
    ///   table of positions is shared, which saves building one at every read.
    public init(_ settings: [Setting], after previous: Snapshot? = nil) {
        if let previous, previous.settings.elementsEqual(settings, by: { $0.id == $1.id }) {
            self.settings = settings
            positions = previous.positions
            return
        }
        var positions: [String: Int] = [:]
        positions.reserveCapacity(settings.count)
        var distinct: [Setting] = []
        distinct.reserveCapacity(settings.count)
        for setting in settings where positions[setting.id] == nil {
            positions[setting.id] = distinct.count
            distinct.append(setting)
        }
        self.settings = distinct
        self.positions = positions
    }

    public subscript(id: String) -> Setting? {
        position(of: id).map { settings[$0] }
    }

    /// Where the setting stands in ``settings``.
    public func position(of id: String) -> Int? {
        positions[id]
    }

    public static func == (one: Snapshot, other: Snapshot) -> Bool {
        one.settings == other.settings
    }
}
