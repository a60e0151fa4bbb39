import MQTT

/// Reads one section (an object) of the configuration, key by key.
///
/// A reader never throws: it reports what is wrong, with line and path, returns `nil` for that key, and goes on, so
/// that people see every fault at once. `null` counts as absent. A key that nobody asked for is a fault too.
public final class SectionReader {
    /// The section's keys from the top, as in `accessories[0].provider`; empty for the whole file.
    public let path: String
    /// The path with `[]` in place of numbers.
    private let rulePath: String
    let report: ConfigurationReport
    /// Where the section begins; `nil` for a section that is not in the file.
    let position: ConfigurationPosition?
    /// The keys in the order of the file.
    public let presentKeys: [String]
    private let members: [String: ConfigurationValue.Member]
    /// `false` where something else than an object stood, or a required one is missing: then nothing more is said about its keys.
    private let isReadable: Bool
    private var namesAreFree: Bool
    private var knownKeys: [String] = []
    private var children: [SectionReader] = []
    private var ownSecrets: [Secret] = []
    private var usesBroker = false
    /// The keys with a fault; `nil` stands for the section as a whole.
    private var faultyKeys: Set<String?> = []

    /// - Parameters:
    ///   - value: an object, or `nil` for a section that is absent, whose keys may still be overridden.
    ///   - rulePath: the path with `[]` in place of numbers, where it differs.
    ///   - isMissing: whether its absence is a fault, so that nothing more is said about its keys.
    init(
        _ value: ConfigurationValue?, path: String, rulePath: String? = nil, parentPosition: ConfigurationPosition?,
        namesAreFree: Bool = false, isMissing: Bool = false,
        report: ConfigurationReport
    ) {
        self.path = path
        self.rulePath = rulePath ?? path
        self.report = report
        self.namesAreFree = namesAreFree
        if case .file(let position)? = value?.origin { self.position = position } else { position = parentPosition }
        switch value?.content {
        case .object(let members):
            presentKeys = members.map(\.key)
            self.members = Dictionary(members.map { ($0.key, $0) }) { first, _ in first }
            isReadable = true
        case nil, .null:
            (presentKeys, members, isReadable) = ([], [:], !isMissing)
        default:
            (presentKeys, members, isReadable) = ([], [:], false)
        }
    }

    // MARK: Faults

    /// Whether a fault was reported in this section or in one below.
    public var hasFaults: Bool {
        !faultyKeys.isEmpty || !isReadable || children.contains(where: \.hasFaults)
    }

    /// Whether a fault of the key itself was reported.
    package func isFaulty(_ key: String) -> Bool {
        faultyKeys.contains(key)
    }

    /// Reports a fault of the section.
    ///
    /// - Parameters:
    ///   - message: what is wrong and what would be right; never the text of a secret.
    ///   - key: the key that it is about; `nil` for the section as a whole.
    public func fault(_ message: String, at key: String? = nil) {
        faultyKeys.insert(key)
        let faultPath = key.map(path(of:)) ?? path
        if let key, let value = value(of: key) {
            report.fault(message, path: faultPath, at: value.origin)
        } else {
            report.fault(message, path: faultPath, at: position)
        }
    }

    /// Reports the keys nobody asked for, here and in the sections below.
    func finish() {
        if !namesAreFree {
            for key in presentKeys where !knownKeys.contains(key) {
                faultyKeys.insert(key)
                report.fault(unknownKey(key), path: path, at: members[key]?.keyPosition)
            }
        }
        for child in children { child.finish() }
    }

    /// Leaves the keys nobody asked for alone.
    package func ignoreUnknownKeys() {
        namesAreFree = true
    }

    private func unknownKey(_ key: String) -> String {
        if let near = nearestName(to: key, among: knownKeys) {
            return "unknown key '\(key.excerpt)'; did you mean '\(near)'?"
        }
        return
            "unknown key '\(key.excerpt)'; the keys here are \(knownKeys.filter { $0 != "$schema" }.joined(separator: ", "))"
    }

    // MARK: Finding values

    func path(of key: String) -> String {
        let name = namesAreFree ? key.excerpt : key
        return path.isEmpty ? name : "\(path).\(name)"
    }

    func rulePath(of key: String) -> String {
        let name = namesAreFree ? "*" : key
        return rulePath.isEmpty ? name : "\(rulePath).\(name)"
    }

    private func value(of key: String) -> ConfigurationValue? {
        let value = report.override(of: path(of: key)) ?? members[key]?.value
        return value?.content == .null ? nil : value
    }

    /// Whether the key has a value, good or bad.
    package func isPresent(_ key: String) -> Bool {
        value(of: key) != nil
    }

    /// The line of the value; `nil` when it is absent or comes from the environment.
    func line(of key: String) -> Int? {
        guard case .file(let position)? = value(of: key)?.origin else { return nil }
        return position.line
    }

    /// Declares that the key exists.
    func declare(
        _ key: String, _ kind: ConfigurationRule.Kind, required: Bool = false, range: ClosedRange<Double>? = nil,
        allowsZero: Bool = false, words: [String] = []
    ) {
        if !knownKeys.contains(key) { knownKeys.append(key) }
        report.record(
            ConfigurationRule(
                kind, at: rulePath(of: key), isRequired: required, range: range, allowsZero: allowsZero, words: words))
    }

    /// The value of a scalar key, from the environment or from the file; `nil` when it is absent or `null`.
    func scalar(_ key: String, required: Bool, hint: String = "") -> ConfigurationValue? {
        if let value = value(of: key) { return value }
        reportMissing(key, required: required, hint: hint)
        return nil
    }

    /// The value of a list or an object, which the environment can't override.
    func compound(_ key: String, required: Bool, hint: String = "") -> ConfigurationValue? {
        if let value = members[key]?.value, value.content != .null { return value }
        reportMissing(key, required: required, hint: hint)
        return nil
    }

    private func reportMissing(_ key: String, required: Bool, hint: String) {
        if required, isReadable { fault("is missing\(hint)", at: key) }
    }

    /// Reports a fault of one element of a list.
    func reportElement(_ index: Int, of key: String, _ message: String, at origin: ConfigurationValue.Origin) {
        faultyKeys.insert(key)
        report.fault(message, path: "\(path(of: key))[\(index)]", at: origin)
    }

    /// The secrets that were read here and in the sections below.
    var secrets: [Secret] {
        ownSecrets + children.flatMap(\.secrets)
    }

    /// The bridge's own broker, for a provider that works over it too. An accessory whose provider asked for it differs from
    /// the same accessory with another broker.
    package func bridgeBroker() -> MQTTSettings {
        usesBroker = true
        return report.broker
    }

    /// The bridge's broker, if it was asked for here or in a section below.
    var usedBroker: MQTTSettings? {
        usesBroker ? report.broker : children.lazy.compactMap(\.usedBroker).first
    }

    func keep(_ secret: Secret) -> Secret {
        ownSecrets.append(secret)
        return secret
    }

    func adopt(_ child: SectionReader) -> SectionReader {
        children.append(child)
        return child
    }
}
