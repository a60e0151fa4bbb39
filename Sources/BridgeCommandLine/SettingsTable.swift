import AccessorySettings
import SettingsBridge

/// What `check --probe` and `list` print: a line for each setting with its value, what it takes, and what is particular
/// about it.
struct SettingsTable {
    private var table = TextTable()

    init() {
        table.add(["ACCESSORY", "SETTING", "VALUE", "TAKES", "STATE"])
    }

    var text: String { table.text }

    /// - Parameter isOnline: whether the accessory answers.
    mutating func add(_ settings: [Setting], of accessory: String, isOnline: Bool = true) {
        for setting in settings {
            let descriptor = setting.descriptor
            var states: [String] = isOnline ? [] : ["offline"]
            if descriptor.isHidden { states.append("hidden") }
            if !descriptor.isEnabled { states.append("disabled") }
            if setting.value == nil { states.append(descriptor.isSecret ? "secret" : "unreadable") }
            table.add([
                accessory, descriptor.id, setting.value == nil ? "-" : setting.valueText, descriptor.takes,
                states.joined(separator: ", "),
            ])
        }
    }

    /// A line for an accessory that has no settings to show.
    mutating func add(problem: String, of accessory: String) {
        table.add([accessory, "-", "-", "-", problem])
    }
}

extension SettingsTable {
    init(_ accessories: [TopicPreview.Accessory]) {
        self.init()
        for accessory in accessories {
            let name = accessory.configuration.id
            add(accessory.snapshot?.settings ?? [], of: name)
            if let problem = accessory.problem { add(problem: problem, of: name) }
        }
    }
}

extension SettingDescriptor {
    fileprivate var isSecret: Bool {
        if case .text(_, _, isSecret: true) = kind { true } else { false }
    }

    /// What can be set, for people.
    fileprivate var takes: String {
        switch kind {
        case .toggle: "ON, OFF"
        case .range(let range): range.sentence
        case .enumeration(let options): options.map(\.rawValue).joined(separator: ", ")
        case .text(_, nil, _): "a text"
        case .text(_, let limit?, _): "a text of up to \(limit) characters"
        case .information: "nothing (read-only)"
        }
    }
}
