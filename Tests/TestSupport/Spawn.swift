internal import Foundation
public import Glibc
internal import Synchronization

/// A program that could not be started, or was not ready in time.
public struct SpawnError: Error, CustomStringConvertible {
    public let description: String

    public init(_ description: String) {
        self.description = description
    }
}

/// A child process with its output, killed when no longer referenced.
public final class ChildProcess: Sendable {
    public let pid: pid_t
    private struct State {
        var lines: [String] = []
        var isReaped = false
        var hasEnded = false
    }
    private let state = Mutex(State())

    /// Lines of stdout and stderr so far.
    public var lines: [String] { state.withLock { $0.lines } }

    /// Whether the program has closed its output, as it does when it ends.
    public var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// - Parameter program: a path, or a name to look for in PATH.
    public init(_ program: String, _ arguments: [String]) throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw SpawnError("no pipe for \(program)") }
        let (readEnd, writeEnd) = (ends[0], ends[1])
        defer { close(writeEnd) }
        // Children started meanwhile must not hold this pipe open.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }

        // Swift's worker threads block signals, and a child inherits that: it would ignore SIGTERM.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var nothing = sigset_t()
        sigemptyset(&nothing)
        var everything = sigset_t()
        sigfillset(&everything)
        posix_spawnattr_setsigmask(&attributes, &nothing)
        posix_spawnattr_setsigdefault(&attributes, &everything)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, writeEnd, 1)
        posix_spawn_file_actions_adddup2(&actions, writeEnd, 2)

        var argv: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for argument in argv { free(argument) } }
        var child: pid_t = 0
        let result = posix_spawnp(&child, program, &actions, &attributes, &argv, environ)
        guard result == 0 else {
            close(readEnd)
            throw SpawnError("cannot start \(program): \(String(cString: strerror(result)))")
        }
        pid = child
        collectLines(from: readEnd)
    }

    deinit { kill() }

    public func signal(_ number: Int32) {
        state.withLock { state in
            // A reaped pid may belong to somebody else.
            guard !state.isReaped else { return }
            _ = Glibc.kill(pid, number)
        }
    }

    /// Ends the process at once and waits for its end.
    public func kill() { end(with: SIGKILL) }

    /// Asks the process to end and waits until it has; kills it if that takes longer than 5 seconds.
    public func terminate() {
        signal(SIGCONT)
        end(with: SIGTERM)
    }

    /// Waits for the process, which has closed its output, to end.
    /// - Returns: its exit code, or 128 and the signal that ended it.
    public func waitForStatus() -> Int32 {
        state.withLock { state in
            var status: Int32 = 0
            guard !state.isReaped, waitpid(pid, &status, 0) == pid else { return -1 }
            state.isReaped = true
            return status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f)
        }
    }

    private func end(with number: Int32) {
        state.withLock { state in
            guard !state.isReaped else { return }
            _ = Glibc.kill(pid, number)
            for _ in 0..<5_000 {
                if waitpid(pid, nil, WNOHANG) != 0 {
                    state.isReaped = true
                    return
                }
                usleep(1_000)
            }
            _ = Glibc.kill(pid, SIGKILL)
            waitpid(pid, nil, 0)
            state.isReaped = true
        }
    }

    private func collectLines(from descriptor: Int32) {
        let thread = Thread { [weak self] in
            guard let output = fdopen(descriptor, "r") else { return }
            var line: UnsafeMutablePointer<CChar>?
            var size = 0
            while getline(&line, &size, output) > 0 {
                guard let line else { break }
                let text = String(cString: line).trimmingCharacters(in: .newlines)
                self?.state.withLock { $0.lines.append(text) }
            }
            free(line)
            fclose(output)
            self?.state.withLock { $0.hasEnded = true }
        }
        thread.start()
    }
}

/// Whether a program is in PATH.
public func isInstalled(_ program: String) -> Bool {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return (path.split(separator: ":").map(String.init) + ["/usr/sbin"])
        .contains { access("\($0)/\(program)", X_OK) == 0 }
}
