import Foundation
import Glibc
import SettingsBridge

/// What to start, and how.
struct Launch: Sendable {
    /// The program, then its arguments; at least one. A program without a slash is looked for in `PATH`.
    var arguments: [String]
    /// Beside the bridge's own environment.
    var environment: [String: String] = [:]
    /// Where it runs; `nil` is where the bridge runs.
    var directory: String?

    /// What two children with the same have in common: they use the same devices.
    struct Program: Equatable {
        var arguments: [String]
        var directory: String?
    }

    var program: Program { Program(arguments: arguments, directory: directory) }

    /// What a child finds in its environment: what the bridge found in its own, but for what is meant for the bridge alone
    /// (the broker's password may stand there, and the secrets of other accessories), and what is configured.
    func wholeEnvironment(in bridges: [String: String]) -> [String: String] {
        bridges.filter { variable in
            !variable.key.hasPrefix("SETTINGS2MQTT_") && !Self.variablesOfTheBridge.contains(variable.key)
                && !SecretVariables.contains(variable.key)
        }.merging(environment) { $1 }
    }

    private static let variablesOfTheBridge: Set = ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"]
}

/// The bridge's ends of a child's standard streams. None of them blocks; children started meanwhile inherit none.
struct ChildStreams: Sendable {
    /// `nil` where the child reads nothing.
    var input: CInt?
    var output: CInt
    var errors: CInt
}

extension Launch {
    /// Starts the program in a process group of its own, with nothing of ours: no open files but its standard streams,
    /// no blocked and no ignored signals (threads of Swift's pool block them, and children inherit that).
    ///
    /// - Parameter hasInput: whether we write to its standard input; else it reads from `/dev/null`.
    func spawn(hasInput: Bool) throws(DeviceError) -> (pid: pid_t, streams: ChildStreams) {
        for text in arguments + environment.flatMap({ [$0.key, $0.value] }) where text.utf8.contains(0) {
            throw DeviceError(
                "\(name) was not started: the character U+0000 can't be part of an argument or of the environment")
        }
        var pipes = Pipes()
        defer { pipes.closeTheRest() }
        let (output, childsOutput) = try pipes.make()
        let (errors, childsErrors) = try pipes.make()
        let (childsInput, input) = hasInput ? try pipes.make() : (-1, -1)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if hasInput {
            posix_spawn_file_actions_adddup2(&actions, childsInput, STDIN_FILENO)
        } else {
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, childsOutput, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, childsErrors, STDERR_FILENO)
        // Libraries open files and sockets that children would inherit, the connection to the broker for one.
        _ = SpawnExtensions.closeFrom?(&actions, STDERR_FILENO + 1)
        if let directory {
            guard let changeDirectory = SpawnExtensions.changeDirectory else {
                throw DeviceError("\(name) was not started: this system's C library knows no working directory for it")
            }
            _ = changeDirectory(&actions, directory)
        }

        let variables = wholeEnvironment(in: ProcessInfo.processInfo.environment).map { "\($0.key)=\($0.value)" }
        var pid: pid_t = 0
        let result = withCStrings(arguments) { arguments in
            withCStrings(variables) {
                posix_spawnp(&pid, self.arguments[0], &actions, &attributes, arguments, $0)
            }
        }
        guard result == 0 else {
            let place = directory.map { " in \($0)" } ?? ""
            throw DeviceError("\(arguments[0]) can't be started\(place): \(String(cString: strerror(result)))")
        }
        return (
            pid,
            ChildStreams(
                input: hasInput ? pipes.take(input) : nil, output: pipes.take(output), errors: pipes.take(errors))
        )
    }
}

/// Calls the body with the texts as C has them, after one another, `NULL` at the end.
private func withCStrings<Result>(
    _ texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
    let copies = texts.map { strdup($0) } + [nil]
    defer { for copy in copies { free(copy) } }
    return copies.withUnsafeBufferPointer { buffer in
        // An array with an element has an address.
        guard let first = buffer.baseAddress else { preconditionFailure("a list of C strings has an end") }
        return body(first)
    }
}

/// Pipes that are being made for a child: all ends that nobody has taken are closed at the end.
private struct Pipes {
    private var open: [CInt] = []

    /// - Returns: the reading and the writing end.
    mutating func make() throws(DeviceError) -> (CInt, CInt) {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw DeviceError("no pipe could be made: \(String(cString: strerror(errno)))", mayPass: true)
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        open += ends
        return (ends[0], ends[1])
    }

    /// Takes an end for ourselves, without blocking.
    mutating func take(_ end: CInt) -> CInt {
        open.removeAll { $0 == end }
        _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK)
        return end
    }

    func closeTheRest() {
        for end in open { close(end) }
    }
}

/// Functions of the C library that are no standard yet, so that their declarations are hidden from Swift: glibc has the
/// first since 2.34, the second since 2.29.
private enum SpawnExtensions {
    static let closeFrom: (@convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, CInt) -> CInt)? = find(
        "posix_spawn_file_actions_addclosefrom_np")
    static let changeDirectory:
        (@convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, UnsafePointer<CChar>) -> CInt)? = find(
            "posix_spawn_file_actions_addchdir_np")

    private static func find<Function>(_ name: String) -> Function? {
        dlsym(nil, name).map { unsafeBitCast($0, to: Function.self) }
    }
}
