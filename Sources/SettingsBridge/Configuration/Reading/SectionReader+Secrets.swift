import Foundation
public import MQTT

extension SectionReader {
    /// A secret: a string, `{ "env": NAME }` or `{ "file": PATH }`.
    ///
    /// No fault holds its text, also when the text stands in a wrong place.
    public func secret(_ key: String, required: Bool = false) -> Secret? {
        declare(key, .secret, required: required)
        guard let value = scalar(key, required: required) else { return nil }
        switch value.content {
        case .string(let text):
            return secret(text, key, emptyMessage: "must not be empty; leave the key out instead")
        case .object(let members):
            guard members.count == 1, let member = members.first, case .string(let source) = member.value.content else {
                break
            }
            switch member.key {
            case "env": return secret(inVariable: source, key)
            case "file": return secret(inFile: source, key)
            default: break
            }
        default: break
        }
        fault("must be a string, { \"env\": NAME } or { \"file\": PATH }", at: key)
        return nil
    }

    private func secret(inVariable name: String, _ key: String) -> Secret? {
        // A password written here by mistake is hardly ever a possible name, and is not repeated.
        guard name.wholeMatch(of: #/[A-Za-z_][A-Za-z0-9_]*/#) != nil else {
            fault("'env' must be the name of an environment variable: letters, digits and _", at: key)
            return nil
        }
        guard let text = report.secretVariable(name) else {
            fault("the environment variable \(name) is not set", at: key)
            return nil
        }
        return secret(text, key, emptyMessage: "the environment variable \(name) is empty")
    }

    private func secret(inFile path: String, _ key: String) -> Secret? {
        guard !path.isEmpty, !path.unicodeScalars.contains(where: \.isControl) else {
            fault("'file' must be the path of a file", at: key)
            return nil
        }
        let path = report.resolve(path)
        do throws(FileProblem) {
            let bytes = try readFile(path, limit: 65_536)
            guard var text = String(validating: bytes, as: UTF8.self) else {
                fault("\(path) must hold text in UTF-8", at: key)
                return nil
            }
            if text.hasSuffix("\n") || text.hasSuffix("\r\n") { text.removeLast() }
            return secret(text, key, emptyMessage: "\(path) is empty")
        } catch {
            fault("\(path) can't be read: \(error.reason)", at: key)
            return nil
        }
    }

    private func secret(_ text: String, _ key: String, emptyMessage: String) -> Secret? {
        if text.isEmpty {
            fault(emptyMessage, at: key)
        } else if text.utf8.count > 65_535 {
            fault("must not be longer than 65,535 bytes", at: key)
        } else if text.unicodeScalars.contains("\0") {
            fault("must not contain the character U+0000", at: key)
        } else {
            return keep(Secret(text))
        }
        return nil
    }

    /// The path of a file that can be read; relative to the folder of the configuration, `~/` is the home folder.
    public func readableFile(_ key: String, required: Bool = false) -> String? {
        guard let text = string(key, required: required) else { return nil }
        let path = report.resolve(text)
        if let problem = whyUnreadable(path) {
            fault("\(path) can't be read: \(problem.reason)", at: key)
            return nil
        }
        return path
    }
}
