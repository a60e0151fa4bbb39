import AccessorySettings
import SettingsBridge

/// A command that writes one setting, or several at once.
struct WriteCommand: Sendable, Equatable {
    /// What the command finds on its standard input.
    enum Input: String, CaseIterable {
        /// The value and a line end.
        case text
        /// The value; for several settings an object of all values.
        case json
    }

    /// What is run for certain changes.
    struct Invocation: Equatable {
        var arguments: [String]
        var environment: [String: String]
        var input: [UInt8]?
    }

    var arguments: [ArgumentTemplate]
    /// Arguments that are repeated for each change, after the others.
    var each: [ArgumentTemplate] = []
    var environment: [String: ArgumentTemplate] = [:]
    var input: Input?
    /// Whether the input is an object of the changes, also of a single one.
    var isForSeveral = false

    /// - Throws: when a value can't be passed this way.
    func invocation(for changes: [DeviceChange], of settings: [DeclaredSetting]) throws(DeviceError) -> Invocation {
        var invocation = Invocation(arguments: [], environment: [:])
        for template in arguments {
            invocation.arguments.append(try text(template, changes.first, settings, after: invocation.arguments))
        }
        for change in changes {
            for template in each {
                invocation.arguments.append(try text(template, change, settings, after: invocation.arguments))
            }
        }
        for (name, template) in environment {
            invocation.environment[name] = try text(template, changes.first, settings, after: nil)
        }
        invocation.input = input.map { bytes(of: changes, as: $0) }
        return invocation
    }

    /// - Parameter earlier: the arguments so far; `nil` for what is no argument.
    private func text(
        _ template: ArgumentTemplate, _ change: DeviceChange?, _ settings: [DeclaredSetting], after earlier: [String]?
    ) throws(DeviceError) -> String {
        guard !template.isLiteral, let change else { return template.text(value: "", setting: "") }
        let value = change.value.text ?? ""
        if template.usesValue, value.utf8.contains(0) {
            throw DeviceError(
                "the value of \(change.setting) holds the character U+0000, which can't be part of an argument or of the "
                    + "environment")
        }
        // Only text is free: all other values are checked, or were chosen in the configuration.
        if let earlier, template.beginsWithValue, value.hasPrefix("-"), !earlier.contains("--"),
            settings.contains(where: { $0.id == change.setting && $0.isFreeText })
        {
            throw DeviceError(
                "the value of \(change.setting) begins with '-', so that \(earlier.first ?? "the program") could take it "
                    + "for an option")
        }
        return template.text(value: value, setting: change.setting)
    }

    private func bytes(of changes: [DeviceChange], as input: Input) -> [UInt8] {
        switch input {
        case .text: return Array(((changes.first?.value.text ?? "") + "\n").utf8)
        case .json:
            var writer = JSONWriter()
            if isForSeveral {
                writer.object {
                    for change in changes {
                        $0.key(change.setting)
                        $0.value(change.value)
                    }
                }
            } else if let change = changes.first {
                writer.value(change.value)
            }
            return writer.bytes + [UInt8(ascii: "\n")]
        }
    }
}

extension DeclaredSetting {
    fileprivate var isFreeText: Bool {
        if case .text = descriptor.kind { true } else { false }
    }
}
