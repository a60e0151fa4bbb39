/// Commands for an accessory that was not read yet: the newest of each setting's topic, and all of those that name several
/// settings, at most 256 and 1 MiB of them.
struct WaitingCommands: Sendable {
    static let limit = 256
    static let byteLimit = 1 << 20

    enum Outcome {
        case kept
        /// A newer command of the same setting took its place.
        case replaced(Command)
        case full
    }

    /// In the order of arrival.
    private var commands: [Command] = []

    var oldest: ContinuousClock.Instant? { commands.first?.receivedAt }

    mutating func add(_ command: Command) -> Outcome {
        // Which settings the others name is not known yet.
        if command.kind.setting != nil, let position = commands.firstIndex(where: { $0.kind == command.kind }) {
            let older = commands.remove(at: position)
            commands.append(command)
            return .replaced(older)
        }
        let bytes = commands.reduce(command.payload.count) { $0 + $1.payload.count }
        guard commands.count < Self.limit, bytes <= Self.byteLimit else { return .full }
        commands.append(command)
        return .kept
    }

    mutating func takeAll() -> [Command] {
        defer { commands = [] }
        return commands
    }

    mutating func takeReceived(before limit: ContinuousClock.Instant) -> [Command] {
        let old = commands.prefix { $0.receivedAt <= limit }
        commands.removeFirst(old.count)
        return Array(old)
    }
}
