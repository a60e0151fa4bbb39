import SettingsBridge

/// The settings that a plug-in lists, read by the rules of the configuration.
enum PluginDescription {
    /// - Parameters:
    ///   - line: the answer to `describe`.
    ///   - name: the plug-in's.
    ///   - secrets: what the sentence may not hold.
    /// - Throws: a ``DeviceError`` with every fault.
    static func settings(
        in line: [UInt8], of name: String, hiding secrets: Redaction
    ) throws(DeviceError) -> [DeclaredSetting] {
        do throws(ConfigurationError) {
            return try read(line, of: name)
        } catch {
            let faults = faults(error, about: line, of: name, hiding: secrets)
            throw DeviceError("plug-in \(name) describes its settings wrongly: \(faults)")
        }
    }

    private static func read(_ line: [UInt8], of name: String) throws(ConfigurationError) -> [DeclaredSetting] {
        try SectionReader.read(line, from: name) { reader in
            _ = reader.integer("id", in: 0...Int.max)
            return readSettings(reader) { _, setting in setting }.map(\.setting)
        }
    }

    /// Faults quote the beginning of what is wrong, where a secret could not be told any more. So they are found again in
    /// what is left of the line without secrets.
    private static func faults(
        _ error: ConfigurationError, about line: [UInt8], of name: String, hiding secrets: Redaction
    ) -> String {
        let hidden = Array(secrets.text(line).utf8)
        guard hidden != line else { return error.sentence }
        do throws(ConfigurationError) {
            _ = try read(hidden, of: name)
            return "what is wrong holds a secret"
        } catch {
            return error.sentence
        }
    }
}

extension ConfigurationError {
    fileprivate var sentence: String {
        faults.map { $0.path.isEmpty ? $0.message : "\($0.path) \($0.message)" }.joined(separator: "; ")
    }
}
