/// Which changes of a dictionary failed, each with its own reason; all others were applied. Not part of Apple's API.
///
/// Thrown by `settingsDidChange(changes:context:for:)`. With any other error all changes of the dictionary count as
/// failed.
public struct AccessorySettingsChangeError: Error, Equatable, CustomStringConvertible {
    /// Why a change failed, by setting identifier: a sentence for whoever asked for it. Identifiers that are not in the
    /// dictionary count for nothing; if no other is there, all changes have failed.
    public var reasons: [String: String]

    public init(_ reasons: [String: String]) {
        self.reasons = reasons
    }

    public var description: String {
        reasons.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: "; ")
    }
}
