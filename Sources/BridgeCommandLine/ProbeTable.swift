import AccessorySettings
import SettingsBridge

/// What `check --probe` prints: a line for each setting with the value that was found, and what it takes.
struct ProbeTable {
    private struct Row {
        var cells: [String]
    }

    private var rows = [Row(cells: ["ACCESSORY", "SETTING", "VALUE", "TAKES", "STATE"])]

    init(_ accessories: [TopicPreview.Accessory]) {
        for accessory in accessories {
            let name = accessory.configuration.id.onOneLine
            for setting in accessory.snapshot?.settings ?? [] { rows.append(Self.row(setting, of: name)) }
            if let problem = accessory.problem {
                rows.append(Row(cells: [name, "-", "-", "-", problem.onOneLine]))
            }
        }
    }

    /// The columns side by side; the last one is as long as it is.
    var text: String {
        let columns = rows[0].cells.indices.dropLast()
        let widths = columns.map { column in rows.map { $0.cells[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = columns.map { column in
                row.cells[column] + String(repeating: " ", count: widths[column] - row.cells[column].count)
            }
            return (cells + [row.cells.last ?? ""]).joined(separator: "  ") + "\n"
        }.joined()
    }

    private static func row(_ setting: Setting, of accessory: String) -> Row {
        let descriptor = setting.descriptor
        let takes =
            switch descriptor.kind {
            case .toggle: "ON, OFF"
            case .range(let range): range.sentence
            case .enumeration(let options): options.map(\.rawValue).joined(separator: ", ")
            case .text: "a text"
            case .information: "nothing (read-only)"
            }
        let state = descriptor.isHidden ? "hidden" : descriptor.isEnabled ? "" : "disabled"
        let value = setting.value.map { Setting(descriptor, value: $0).valueText } ?? "unreadable"
        return Row(cells: [accessory, descriptor.id, value, takes, state].map(\.onOneLine))
    }
}
