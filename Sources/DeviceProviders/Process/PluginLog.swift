import SettingsBridge

/// What a plug-in has in the log: lines of its standard error, and what is wrong with it. A flood is cut.
struct PluginLog: Sendable {
    private static let window = Duration.seconds(10)
    private static let linesPerWindow = 100
    private static let lineLimit = 2000
    private static let rememberedSecrets = 20

    let accessory: String
    /// Texts that no line and no error may hold.
    private(set) var secrets: [String]
    /// How many of the secrets stand in the configuration.
    private let configured: Int
    private var errors = LineSplitter()
    /// The last lines of this run.
    private var excerpt = ErrorExcerpt()
    private var windowStart = ContinuousClock.now
    private var lines = 0

    init(accessory: String, secrets: [String]) {
        self.accessory = accessory
        self.secrets = secrets
        configured = secrets.count
    }

    mutating func takeErrors(_ bytes: UnsafeRawBufferPointer) {
        excerpt.append(bytes)
        for line in errors.append(bytes) { writeError(line) }
        if errors.rest.count > Self.lineLimit { writeError(errors.takeRest()) }
    }

    /// At the end of a run.
    ///
    /// - Returns: what the plug-in said last.
    mutating func finish() -> String? {
        if !errors.rest.isEmpty { writeError(errors.takeRest()) }
        defer { excerpt = ErrorExcerpt() }
        return excerpt.sentence(hiding: secrets)
    }

    /// Hides what was written to a secret setting. The bridge forgets it again after some others.
    mutating func hide(_ values: [String]) {
        secrets += values.filter { !secrets.contains($0) }
        if secrets.count > configured + Self.rememberedSecrets { secrets.remove(at: configured) }
    }

    mutating func warning(_ message: String) {
        write(.warning, message)
    }

    private mutating func writeError(_ line: [UInt8]) {
        var excerpt = ErrorExcerpt()
        excerpt.append(line)
        if let text = excerpt.sentence(hiding: secrets) { write(.info, text) }
    }

    private mutating func write(_ level: LogLevel, _ message: String) {
        if ContinuousClock.now - windowStart >= Self.window {
            windowStart = .now
            lines = 0
        }
        lines += 1
        if lines <= Self.linesPerWindow {
            ProviderLog.write(level, accessory, message)
        } else if lines == Self.linesPerWindow + 1 {
            ProviderLog.write(.warning, accessory, "the plug-in writes too much; lines are left out")
        }
    }
}
