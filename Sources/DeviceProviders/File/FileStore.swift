import Foundation
import SettingsBridge

/// A file of a device: read whole, and replaced whole.
struct FileStore: Sendable, Hashable {
    /// Larger files are refused.
    static let sizeLimit = 1 << 20

    var path: String
    /// Whether the content is written into the file, as attributes of sysfs and devices want it, instead of putting a new
    /// file in its place.
    var isWrittenInPlace = false

    /// The whole content.
    ///
    /// - Throws: ``DeviceError`` with the path and the reason.
    func read() throws(DeviceError) -> [UInt8] {
        // Not blocking: a pipe would wait for its other end.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw failure("can't be read", errno) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Foundation.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure("can't be read", errno) }
            guard count > 0 else { return bytes }
            bytes += buffer[..<count]
            guard bytes.count <= Self.sizeLimit else {
                throw DeviceError("\(path) can't be read: it is larger than 1 MB")
            }
        }
    }

    /// The whole content as text.
    func readText() throws(DeviceError) -> String {
        guard let text = String(validating: try read(), as: UTF8.self) else {
            throw DeviceError("\(path) can't be read: it is not UTF-8")
        }
        return text
    }

    /// Replaces the whole content. Without `isWrittenInPlace` a reader sees the old or the new one, also if the power fails.
    ///
    /// - Throws: ``DeviceError`` with the path and the reason.
    func write(_ bytes: [UInt8]) throws(DeviceError) {
        guard bytes.count <= Self.sizeLimit else { throw DeviceError("\(path) can't be written: 1 MB is the limit") }
        if isWrittenInPlace { try overwrite(bytes) } else { try replace(bytes) }
    }

    private func overwrite(_ bytes: [UInt8]) throws(DeviceError) {
        let descriptor = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw failure("can't be written", errno) }
        defer { close(descriptor) }
        try write(bytes, to: descriptor)
    }

    private func replace(_ bytes: [UInt8]) throws(DeviceError) {
        // A link stays one: what it leads to is replaced.
        guard let resolved = realpath(path, nil) else { throw failure("can't be written", errno) }
        defer { free(resolved) }
        let target = String(cString: resolved)
        var status = stat()
        guard stat(target, &status) == 0 else { throw failure("can't be written", errno) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw DeviceError("\(path) can't be written: it is no regular file; devices need \"in_place\": true")
        }
        // The folder alone decides about a renaming, the file's own permission would go unheard.
        guard access(target, W_OK) == 0 else { throw failure("can't be written", errno) }
        let slash = target.lastIndex(of: "/") ?? target.startIndex
        let folder = slash == target.startIndex ? "/" : String(target[..<slash])
        let temporary = "\(folder)/.\(target[target.index(after: slash)...].prefix(100)).\(UUID().uuidString)"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw failure("can't be replaced, since no file can be made in its folder", errno)
        }
        var isInPlace = false
        defer {
            close(descriptor)
            if !isInPlace { unlink(temporary) }
        }
        try write(bytes, to: descriptor)
        var own = stat()
        guard fstat(descriptor, &own) == 0 else { throw failure("can't be written", errno) }
        if own.st_uid != status.st_uid || own.st_gid != status.st_gid {
            guard fchown(descriptor, status.st_uid, status.st_gid) == 0 else {
                throw failure("can't be replaced by a file of the same owner (\"in_place\": true keeps it)", errno)
            }
        }
        guard fchmod(descriptor, status.st_mode & 0o7777) == 0, fsync(descriptor) == 0,
            rename(temporary, target) == 0
        else { throw failure("can't be written", errno) }
        isInPlace = true
        // The renaming itself is on disk only when the folder is.
        let folderDescriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if folderDescriptor >= 0 {
            fsync(folderDescriptor)
            close(folderDescriptor)
        }
    }

    /// At once where the system allows it: an attribute of sysfs takes one value per call.
    private func write(_ bytes: [UInt8], to descriptor: Int32) throws(DeviceError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure("can't be written", errno) }
            rest = rest.dropFirst(count)
        }
    }

    private func failure(_ what: String, _ code: Int32) -> DeviceError {
        DeviceError("\(path) \(what): \(String(cString: strerror(code)))", mayPass: code == EBUSY || code == EAGAIN)
    }
}
