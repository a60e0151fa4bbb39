import SettingsBridge

/// How a kind of provider reaches its device. One for each accessory.
///
/// Nothing of it runs on the main actor, which belongs to all providers.
protocol DeviceConnection: Sendable {
    /// The device's values by setting; a setting that is left out is unreadable.
    ///
    /// - Throws: ``DeviceError``, or any other error, when the device could not be read.
    @concurrent func read() async throws -> [String: JSONValue]

    /// Applies changes: returns when the device has them.
    ///
    /// - Returns: why a change failed, by setting; empty when the device has them all.
    /// - Throws: ``DeviceError``, or any other error, when the device has none of them.
    @concurrent func write(_ changes: [DeviceChange]) async throws -> [String: DeviceError]

    /// Each element tells that the device may have changed by itself; `nil` when it can't tell.
    func changes() -> AsyncStream<Void>?
}

extension DeviceConnection {
    func changes() -> AsyncStream<Void>? { nil }
}

/// A setting and the device's value that it is to have.
struct DeviceChange: Sendable, Equatable {
    var setting: String
    var value: JSONValue
}
