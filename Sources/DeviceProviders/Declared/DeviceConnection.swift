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
    /// - Throws: ``DeviceError``, or any other error, when the device refused or could not be reached.
    @concurrent func write(_ changes: [DeviceChange]) async throws

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

/// Why a device could not be read or written.
struct DeviceError: Error, CustomStringConvertible, Equatable {
    /// Names what was asked for and why it failed.
    var description: String
    /// Whether trying again may help: refused connections, time-outs, busy servers; never a refusal.
    var mayPass: Bool

    init(_ description: String, mayPass: Bool = false) {
        self.description = description
        self.mayPass = mayPass
    }
}
