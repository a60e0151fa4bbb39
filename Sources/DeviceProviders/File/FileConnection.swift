import Foundation
import SettingsBridge
import Synchronization

/// Where a setting's value stands.
struct FileSetting: Sendable, Equatable {
    var id: String
    var file: FileStore
    var place: FilePlace
}

/// Files as a device: read on every reading, written on every change, watched meanwhile.
final class FileConnection: DeviceConnection {
    private let settings: [FileSetting]
    private let format: FileFormat
    /// What the files held when they were last looked at, `nil` for one that could not be read.
    private let known: Mutex<[FileStore: [UInt8]?]> = Mutex([:])
    private let watch: Mutex<FolderWatch?> = Mutex(nil)

    init(_ settings: [FileSetting], format: FileFormat) {
        self.settings = settings
        self.format = format
    }

    private var files: [FileStore] {
        settings.map(\.file).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    @concurrent func read() async throws -> [String: JSONValue] {
        watchFolders()
        var values: [String: JSONValue] = [:]
        for file in files {
            let content = try content(of: file)
            for setting in settings where setting.file == file {
                values[setting.id] = content.value(at: setting.place)
            }
        }
        return values
    }

    @concurrent func write(_ changes: [DeviceChange]) async throws -> [String: DeviceError] {
        var failures: [String: DeviceError] = [:]
        for file in files {
            try Task.checkCancellation()
            let own = changes.compactMap { change in
                settings.first { $0.id == change.setting && $0.file == file }.map { ($0, change.value) }
            }
            if !own.isEmpty { failures.merge(write(own, to: file)) { $1 } }
        }
        return failures
    }

    /// Writes into one file: all of the values, or none.
    ///
    /// - Returns: why they could not be written, by setting.
    private func write(_ values: [(setting: FileSetting, value: JSONValue)], to file: FileStore) -> [String:
        DeviceError]
    {
        var failures: [String: DeviceError] = [:]
        do throws(DeviceError) {
            var content = try contentToChange(file)
            for (setting, value) in values {
                do throws(DeviceError) {
                    try content.set(setting.place, to: value, in: file)
                } catch {
                    failures[setting.id] = error
                }
            }
            let misfits = values.map(\.setting.id).filter { failures[$0] != nil }
            guard misfits.isEmpty else {
                throw DeviceError(
                    "nothing was written into \(file.path), because \(misfits.joined(separator: ", ")) failed")
            }
            let bytes = content.bytes
            // An attribute of sysfs acts on being written, whatever it held.
            guard file.isWrittenInPlace || known.withLock({ $0[file] }) != bytes else { return [:] }
            try file.write(bytes)
            known.withLock { $0[file] = bytes }
        } catch {
            for (setting, _) in values where failures[setting.id] == nil { failures[setting.id] = error }
        }
        return failures
    }

    func changes() -> AsyncStream<Void>? {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let watch = FolderWatch { [weak self] in
            if self?.haveFilesChanged() == true { continuation.yield() }
        }
        guard let watch else { return nil }
        self.watch.withLock { $0 = watch }
        watchFolders()
        return stream
    }

    private func content(of file: FileStore) throws(DeviceError) -> FileContent {
        do throws(DeviceError) {
            let content = try FileContent(of: file, format: format)
            known.withLock { $0[file] = content.bytes }
            return content
        } catch {
            known.withLock { $0[file] = .some((try? file.read())) }
            throw error
        }
    }

    /// What a whole-text file holds matters for its line end alone, and some attributes can't be read.
    private func contentToChange(_ file: FileStore) throws(DeviceError) -> FileContent {
        if format == .text, file.isWrittenInPlace { return (try? content(of: file)) ?? .text("\n") }
        return try content(of: file)
    }

    /// Whether a file holds something else than was last read from it or written to it.
    private func haveFilesChanged() -> Bool {
        watchFolders()
        return files.contains { file in
            let now = try? file.read()
            return known.withLock { $0[file].map { $0 != now } ?? false }
        }
    }

    /// The folders of the files and of what they lead to, if they are links. A folder may come to be at any time.
    private func watchFolders() {
        watch.withLock { watch in
            guard let watch else { return }
            for file in files {
                let target = URL(filePath: file.path).resolvingSymlinksInPath().path
                for path in Set([file.path, target]) { watch.watch((path as NSString).deletingLastPathComponent) }
            }
        }
    }
}
