import Foundation

/// Starts a program whose standard input is closed when this process ends, however that happens.
///
/// The program gets no signal mask and no ignored signals from us: threads of Swift's pool block signals, and children
/// inherit that. It runs in a process group of its own, so that Ctrl-C reaches this process alone.
func spawnWithLifeline(_ arguments: [String]) throws(CommandFailure) {
    var ends: [CInt] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .system("no pipe could be made") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // The other end stays open for as long as this process lives.
    defer { close(ends[0]) }

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigaddset(&signals, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
        &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO)
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)

    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var child: pid_t = 0
    errno = posix_spawn(&child, arguments[0], &actions, &attributes, &words, environ)
    guard errno == 0 else { throw .system("\(arguments[0]) can't be started") }
}

extension CommandFailure {
    /// With the system's reason.
    static func system(_ message: String) -> CommandFailure {
        CommandFailure(description: "\(message): \(String(cString: strerror(errno)))")
    }
}
