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
