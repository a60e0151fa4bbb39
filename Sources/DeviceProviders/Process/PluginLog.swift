import SettingsBridge

/// What a plug-in has in the log: lines of its standard error, of which a flood is cut, and what is wrong with it.
struct PluginLog: Sendable {
    private static let window = Duration.seconds(10)
    private static let linesPerWindow = 100
    /// Of a line, in characters.
    private static let shown = 1000
    /// What was said so long before the end may be its reason.
    private static let recent = Duration.seconds(5)

    let accessory: String
    /// What no line and no error may hold.
    let secrets: KnownSecrets
    private let log: Log
    private var errors = LineSplitter(limit: shown * 4 + Redaction.reach)
    /// The last lines of this run.
    private var excerpt = ErrorExcerpt()
    private var windowStart = ContinuousClock.now
    /// Of standard error, since the window began.
    private var lines = 0

    init(_ log: Log, accessory: String, secrets: KnownSecrets) {
        self.log = log
        self.accessory = accessory
        self.secrets = secrets
    }

    mutating func takeErrors(_ bytes: UnsafeRawBufferPointer, at now: ContinuousClock.Instant = .now) {
        excerpt.append(bytes, at: now)
        for line in errors.append(bytes) { writeError(line) }
    }

    /// At the end of a run.
    ///
    /// - Parameter request: when the request was made that it failed to answer, if there is one.
    /// - Returns: what the plug-in said since, or in the seconds before the end.
    mutating func finish(since request: ContinuousClock.Instant?, at now: ContinuousClock.Instant = .now) -> String? {
        writeError(errors.takeRest())
        defer { excerpt = ErrorExcerpt() }
        let recently = now - Self.recent
        return excerpt.sentence(hiding: secrets.redaction, since: min(request ?? recently, recently))
    }

    /// What is wrong with the plug-in itself is never left out.
    func warning(_ message: String) {
        log.warning(accessory, message)
    }

    private mutating func writeError(_ line: LineSplitter.Line) {
        if ContinuousClock.now - windowStart >= Self.window {
            windowStart = .now
            lines = 0
        }
        // Looking for secrets takes long, so that of a flood nothing is looked at.
        guard lines <= Self.linesPerWindow else { return }
        let text = secrets.redaction.excerpt(line.bytes, limit: Self.shown, isCut: line.isCut)
        guard !text.allSatisfy(\.isWhitespace) else { return }
        lines += 1
        if lines <= Self.linesPerWindow {
            log.info(accessory, text)
        } else {
            log.warning(accessory, "the plug-in writes too much; lines are left out")
        }
    }
}
