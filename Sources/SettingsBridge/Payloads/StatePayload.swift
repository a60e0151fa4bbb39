package import AccessorySettings

/// Values as they are published.
package enum StatePayload {
    /// The payload of a setting's own topic; no bytes where the value is unreadable, which clears the topic.
    package static func bytes(_ value: SettingValue?) -> [UInt8] {
        switch value {
        case nil: []
        case .toggle(let isOn): Array((isOn ? "ON" : "OFF").utf8)
        case .number(let number): Array(NumberText.text(number).utf8)
        case .option(let text), .text(let text): Array(text.utf8)
        }
    }
}

extension JSONWriter {
    /// A value as it stands in JSON: `true`/`false`, a number, a string, or `null` where it is unreadable.
    package mutating func value(_ value: SettingValue?) {
        switch value {
        case nil: null()
        case .toggle(let isOn): bool(isOn)
        case .number(let number): self.number(number)
        case .option(let text), .text(let text): string(text)
        }
    }
}
