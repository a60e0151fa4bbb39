import Foundation
import TestSupport

/// The executables of the package, started as people start them.
enum Program: String {
    case settings2mqtt
    case thermostatExtension = "ThermostatExtension"
    case stubbornExtension = "StubbornExtension"

    /// Beside the test bundle.
    var path: String {
        URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: rawValue).path
    }

    /// - Parameter folder: where the program runs.
    func start(_ arguments: [String], in folder: URL = FileManager.default.temporaryDirectory) throws -> ChildProcess {
        // `env` becomes the program, so that signals reach it.
        try ChildProcess("env", ["-C", folder.path, path] + arguments)
    }

    /// Runs the program to its end.
    func run(
        _ arguments: [String], in folder: URL = FileManager.default.temporaryDirectory
    ) async throws -> (status: Int32, lines: [String]) {
        let process = try start(arguments, in: folder)
        let status = try await process.end()
        return (status, process.lines)
    }
}

extension ChildProcess {
    /// Waits for the end of the process.
    ///
    /// - Returns: its exit code, or 128 and the signal that ended it.
    func end(within limit: Duration = .seconds(30)) async throws -> Int32 {
        try await waitUntil("the end of the process; it says \(lines)", within: limit) { hasEnded }
        return waitForStatus()
    }

    /// Waits for a line of the output.
    func waitForLine(_ text: String, within limit: Duration = .seconds(20)) async throws {
        try await waitUntil("'\(text)' in the output", within: limit) { lines.contains { $0.contains(text) } }
    }
}

/// Runs the body with a folder of its own, which is gone afterwards.
func withFolder<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "settings2mqtt-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
}

/// Runs the body with a file of this text.
func withConfiguration<Result>(_ text: String, _ body: (String) async throws -> Result) async throws -> Result {
    try await withFolder { folder in
        let file = folder.appending(path: "test.json")
        try Data(text.utf8).write(to: file)
        return try await body(file.path)
    }
}

/// A configuration with a simulated thermostat called `hallway`.
///
/// - Parameters:
///   - provider: more keys of its `provider`, each followed by a comma.
///   - mqtt: more keys of `mqtt`, as is `more` for the whole.
func thermostat(port: Int, provider: String = "", mqtt: String = "", more: String = "") -> String {
    """
    {
      "mqtt": { \(mqtt) "server": "mqtt://127.0.0.1:\(port)" }, \(more)
      "accessories": [
        { "id": "hallway", "provider": { "type": "simulated", \(provider) "model": "thermostat" } }
      ]
    }
    """
}
