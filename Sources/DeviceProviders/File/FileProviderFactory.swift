import AccessorySettings
import SettingsBridge

/// Makes devices out of files: `{ "type": "file", "path": "/etc/app.json", "format": "json", "settings": { … } }`.
struct FileProviderFactory: ProviderFactory {
    let type = "file"

    func makeSettings(
        from section: SectionReader, accessory: AccessoryConfiguration
    ) -> (@MainActor @Sendable () -> HomeAccessorySettings)? {
        let format = section.word("format", as: FileFormat.self, required: true)
        let files = readFiles(section)
        let settings = readSettings(section) { reader, setting in
            readSetting(setting, reader, files, format: format)
        }
        let confirmation = Confirmation.read(section)
        let retry = Retry.read(section)
        guard let format, !section.hasFaults else { return nil }
        return {
            HomeAccessorySettings(
                context: {
                    DeclaredDevice(
                        settings: settings.map(\.setting),
                        connection: FileConnection(settings.map(\.own), format: format), confirmation: confirmation,
                        retry: retry)
                }, provider: { DeclaredProvider() })
        }
    }

    /// The files by name; one alone has the name "". `nil` when there are none, which is a fault.
    private func readFiles(_ section: SectionReader) -> [String: FileStore]? {
        let isInPlace = section.boolean("in_place") ?? false
        let path = section.path("path")
        guard let names = section.optionalSection("files", namesAreFree: true) else {
            if path == nil, !section.hasFaults {
                section.fault("is missing; it names the file (or 'files' several)", at: "path")
            }
            return path.map { ["": FileStore(path: $0, isWrittenInPlace: isInPlace)] }
        }
        if path != nil { section.fault("can't stand beside 'path'", at: "files") }
        var files: [String: FileStore] = [:]
        for name in names.presentKeys {
            // One with a fault is there all the same: whoever names it makes no mistake.
            files[name] = FileStore(path: names.path(name, required: true) ?? "", isWrittenInPlace: isInPlace)
        }
        return files
    }

    private func readSetting(
        _ setting: DeclaredSetting, _ reader: SectionReader, _ files: [String: FileStore]?, format: FileFormat?
    ) -> FileSetting? {
        guard let format, let files else {
            // Which keys it needs is not known then.
            reader.ignoreUnknownKeys()
            return nil
        }
        let place: FilePlace?
        switch format {
        case .text: place = reader.boolean("bracketed") == true ? .bracketed : .whole
        case .json: place = reader.pointer("pointer", required: true).map { .json($0) }
        case .ini:
            let section = reader.string("section")
            if section?.contains("]") == true { reader.fault("must not contain ]", at: "section") }
            place = iniKey(reader).map { .ini(INIText.Place(section: section, key: $0)) }
        }
        guard let file = file(reader, files), let place else { return nil }
        return FileSetting(id: setting.id, file: file, place: place)
    }

    private func file(_ reader: SectionReader, _ files: [String: FileStore]) -> FileStore? {
        if let only = files[""] { return only }
        guard let name = reader.string("file", required: true) else { return nil }
        if files[name] == nil {
            reader.fault(
                "must be one of the names in 'files': \(files.keys.sorted().joined(separator: ", "))", at: "file")
        }
        return files[name]
    }

    private func iniKey(_ reader: SectionReader) -> String? {
        guard let key = reader.string("key", required: true) else { return nil }
        guard key.wholeMatch(of: #/[^=#;\[\s]([^=]*[^=\s])?/#) != nil else {
            reader.fault("must be a key as it stands before '=', without blanks around it", at: "key")
            return nil
        }
        return key
    }
}
