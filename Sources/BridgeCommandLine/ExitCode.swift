import DeviceProviders
@preconcurrency import Glibc

/// How the process ends.
enum ExitCode: Int32 {
    case done = 0
    /// Refused or failed.
    case failed = 1
    /// Wrong usage, or a fault in the configuration.
    case misuse = 2
    /// No running bridge answers.
    case noAnswer = 3

    /// Ends the process from any thread.
    ///
    /// Not by `exit`: that tears down what the main thread may be using, which a provider may hold for long.
    func leave() -> Never {
        // What a provider printed. Not all streams: one that is being read from is locked meanwhile.
        fflush(stdout)
        RunningGroups.endAll(within: .milliseconds(300))
        StandardErrorSink.flush()
        leaveAtOnce()
    }

    /// Ends the process, whatever state it is in.
    func leaveAtOnce() -> Never {
        RunningGroups.endAll(within: .zero)
        _exit(rawValue)
    }
}
