import Foundation

/// A mosquitto for this process alone, on a free port of the loopback interface.
///
/// It ends when this process does, however that happens: a shell beside it waits for the other end of a pipe to be
/// closed, then ends the broker and removes its files.
struct PrivateBroker {
    let port: Int

    /// - Parameter folders: where the program is looked for.
    static func start(lookingIn folders: [String] = searchPath) async throws(CommandFailure) -> PrivateBroker {
        guard let program = folders.map({ $0 + "/mosquitto" }).first(where: { access($0, X_OK) == 0 }) else {
            throw CommandFailure(
                description: "the demo needs the mosquitto broker and its clients; "
                    + "on Debian and Ubuntu: apt install mosquitto mosquitto-clients")
        }
        let port = try freePort()
        let folder = try makeFolder()
        let configuration = """
            listener \(port) 127.0.0.1
            allow_anonymous true
            persistence false
            log_dest stderr

            """
        do {
            try Data(configuration.utf8).write(to: folder.appending(path: "mosquitto.conf"))
        } catch {
            throw CommandFailure(description: "the broker's configuration can't be written: \(error)")
        }
        try spawnWithLifeline(["/bin/sh", "-c", supervision, program, folder.path])
        try await waitUntilListening(port, log: folder.appending(path: "mosquitto.log"))
        return PrivateBroker(port: port)
    }

    /// `$0` is the broker, `$1` its folder.
    private static let supervision = """
        cd "$1" || exit 1
        "$0" -c mosquitto.conf 2>mosquitto.log &
        broker=$!
        while read -r _; do :; done
        kill $broker
        wait $broker
        rm -f mosquitto.conf mosquitto.log
        rmdir "$1"
        """

    /// Distributions put servers in folders that are not in everybody's search path.
    private static var searchPath: [String] {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return path.split(separator: ":").map(String.init) + ["/usr/sbin", "/usr/local/sbin"]
    }

    private static func makeFolder() throws(CommandFailure) -> URL {
        var template = Array(
            FileManager.default.temporaryDirectory.appending(path: "settings2mqtt-demo-XXXXXX").path.utf8CString)
        guard mkdtemp(&template) != nil else { throw .system("a temporary folder can't be made") }
        let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        return URL(filePath: path, directoryHint: .isDirectory)
    }

    /// mosquitto starts within some 30 ms.
    private static func waitUntilListening(_ port: Int, log: URL) async throws(CommandFailure) {
        for _ in 0..<250 {
            if isListening(port) { return }
            try? await Task.sleep(for: .milliseconds(20))
        }
        let words = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
        throw CommandFailure(description: "the private broker does not start: \(String(words.suffix(500)).onOneLine)")
    }
}
