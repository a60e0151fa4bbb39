import AccessorySettings
import SettingsBridge

/// Commands to try, made from what the accessories offer.
struct DemoExamples {
    /// The path of this program as it was started.
    let program: String
    let port: Int
    let topics: BridgeTopics

    func text(for accessories: [TopicPreview.Accessory]) -> String {
        var text = """
            A private broker listens on 127.0.0.1, port \(port). Ctrl-C ends it and the bridge.
            Commands to try in another terminal:

              # everything that the bridge publishes
              mosquitto_sub -p \(port) -t '\(topics.base)/#' -v

              # all settings, their values and what they take
              \(Self.quoted(program)) list --server mqtt://127.0.0.1:\(port)

            """
        guard let accessory = accessories.first(where: { !Self.changeable($0).isEmpty }) else { return text + "\n" }
        var settings = Self.changeable(accessory)
        let own = topics.accessory(accessory.configuration.id)
        let (setting, value) = settings.remove(at: settings.firstIndex { $0.setting.isRange } ?? 0)
        let payload = String(decoding: StatePayload.bytes(value), as: UTF8.self)
        text += example("change a setting", topic: own.set(setting.id), payload)
        if !settings.isEmpty {
            text += example("change several at once", topic: own.set, Self.json(settings.prefix(2)))
        }
        if let payload = Self.refusedPayload(for: setting) {
            text += example(
                "is refused; the answer appears on \(topics.response(to: "set"))", topic: own.set(setting.id), payload)
        }
        return text + "\n"
    }

    private func example(_ comment: String, topic: String, _ payload: String) -> String {
        "\n  # \(comment)\n  mosquitto_pub -p \(port) -t \(Self.quoted(topic)) -m \(Self.quoted(payload))\n"
    }

    /// For the shell.
    private static func quoted(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            switch UnicodeScalar(byte) {
            case "a"..."z", "A"..."Z", "0"..."9", "_", "-", ".", "/", "%": true
            default: false
            }
        }
        return isPlain && !text.isEmpty ? text : "'" + text.replacing("'", with: #"'\''"#) + "'"
    }

    // MARK: Values

    private typealias Example = (setting: Setting, value: SettingValue)

    /// The settings that can be changed now, each with a new value.
    private static func changeable(_ accessory: TopicPreview.Accessory) -> [Example] {
        (accessory.snapshot?.settings ?? []).filter(\.descriptor.isAvailable).compactMap { setting in
            newValue(for: setting).map { (setting, $0) }
        }
    }

    private static func newValue(for setting: Setting) -> SettingValue? {
        switch (setting.descriptor.kind, setting.value) {
        case (.toggle, .toggle(let isOn)): return .toggle(!isOn)
        case (.range(let range), .number(let number)):
            let step = (range.step ?? 1) * 3
            let isRoom = range.upperBound.map { number + step <= $0 } ?? true
            return .number(range.normalized(isRoom ? number + step : number - step))
        case (.enumeration(let options), .option(let present)):
            return options.last { $0.rawValue != present }.map { .option($0.rawValue) }
        case (.text, .text): return .text("Hello")
        default: return nil
        }
    }

    private static func refusedPayload(for setting: Setting) -> String? {
        switch setting.descriptor.kind {
        case .range(let range):
            guard let upper = range.upperBound else { return "many" }
            return ["99", "999", "9999", "99999"].first { Double($0) ?? 0 > upper * 1.5 } ?? "many"
        case .enumeration: return "no-such-option"
        case .toggle: return "perhaps"
        case .text, .information: return nil
        }
    }

    private static func json(_ examples: some Sequence<Example>) -> String {
        var json = JSONWriter()
        json.object {
            for (setting, value) in examples {
                $0.key(setting.id)
                $0.value(value)
            }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }
}

extension Setting {
    fileprivate var isRange: Bool {
        if case .range = descriptor.kind { true } else { false }
    }
}
