/// What a reload has done.
public struct ReloadReport: Sendable, Equatable {
    /// Identifiers of accessories, in the order of the new configuration.
    public var added: [String] = []
    /// Those that begin anew.
    public var changed: [String] = []
    /// In the order of the old configuration.
    public var removed: [String] = []
    /// Whether the bridge connects anew, since something about the broker, a topic or Home Assistant changed.
    public var reconnects = false

    /// `2 accessories added (hall, attic), 1 removed (cellar)`
    public var sentence: String {
        var parts: [String] = []
        for (accessories, what) in [(added, "added"), (changed, "changed"), (removed, "removed")]
        where !accessories.isEmpty {
            let noun = parts.isEmpty ? (accessories.count == 1 ? " accessory" : " accessories") : ""
            parts.append("\(accessories.count)\(noun) \(what) (\(accessories.joined(separator: ", ")))")
        }
        if reconnects { parts.append("the bridge connects anew") }
        return parts.isEmpty ? "no accessory changed" : parts.joined(separator: ", ")
    }
}

/// Why a reload changed nothing.
public enum ReloadError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The bridge was started with a configuration that is built in.
    case noFile
    case faults(ConfigurationError)
    /// The broker that the new configuration names.
    case brokerUnusable(String, reason: String)
    case stopping

    public var description: String {
        switch self {
        case .noFile: "this bridge was started without a configuration file"
        case .faults(let error):
            "the configuration has faults: \(error.faults.map(\.description).joined(separator: "; "))"
        case .brokerUnusable(let server, let reason): "the broker \(server) can't be used: \(reason)"
        case .stopping: "the bridge is stopping"
        }
    }
}
