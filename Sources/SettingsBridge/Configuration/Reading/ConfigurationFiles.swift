import Foundation

/// Why a file can't be read, in the system's words.
struct FileProblem: Error, Equatable {
    var reason: String

    static var lastSystemError: FileProblem { FileProblem(reason: String(cString: strerror(errno))) }
}

/// The bytes of a file with at most `limit` of them.
func readFile(_ path: String, limit: Int) throws(FileProblem) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .lastSystemError }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
        let count = read(descriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { throw .lastSystemError }
        guard count > 0 else { return bytes }
        bytes += buffer[..<count]
        guard bytes.count <= limit else { throw FileProblem(reason: "it is larger than \(limit) bytes") }
    }
}

/// `nil` when the file can be read. A pipe is not opened, since that would wait for its other end.
func whyUnreadable(_ path: String) -> FileProblem? {
    guard access(path, R_OK) == 0 else { return .lastSystemError }
    var status = stat()
    guard stat(path, &status) == 0 else { return .lastSystemError }
    return status.st_mode & S_IFMT == S_IFDIR ? FileProblem(reason: String(cString: strerror(EISDIR))) : nil
}

extension ConfigurationReport {
    /// The path as seen from the folder of the configuration file; `~/` is the home folder.
    func resolve(_ path: String) -> String {
        if path.hasPrefix("/") { return path }
        if path.hasPrefix("~/"), let home = environment["HOME"], !home.isEmpty {
            return home + path.dropFirst()
        }
        guard let slash = file.lastIndex(of: "/") else { return path }
        return file[...slash] + path
    }
}
