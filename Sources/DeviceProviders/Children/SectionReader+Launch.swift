import Foundation
import MQTT
import SettingsBridge

/// The keys that say what to start.
extension SectionReader {
    /// A program and its arguments: a required list.
    func arguments(_ key: String) -> [String]? {
        guard let arguments = strings(key, required: true) else { return nil }
        if arguments.first?.isEmpty != false {
            fault("must begin with the name of a program", at: key)
            return nil
        }
        return arguments
    }

    /// A folder that exists, relative to the folder of the configuration, which is also what counts without it.
    func directory(_ key: String) -> String? {
        guard let text = string(key) else { return folder }
        let path = resolved(text)
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue { return path }
        fault("\(path) is no folder", at: key)
        return nil
    }

    /// Variables of the environment; each may be a secret.
    func environment(_ key: String) -> [String: Secret] {
        let section = section(key, namesAreFree: true)
        var variables: [String: Secret] = [:]
        for name in section.presentKeys where section.isVariable(name) {
            variables[name] = section.secret(name, required: true)
        }
        return variables
    }

    /// Whether a key can be the name of a variable; reports a fault else.
    func isVariable(_ name: String) -> Bool {
        let isVariable = name.wholeMatch(of: #/[A-Za-z_][A-Za-z0-9_]*/#) != nil
        if !isVariable { fault("must be the name of an environment variable: letters, digits and _", at: name) }
        return isVariable
    }
}
