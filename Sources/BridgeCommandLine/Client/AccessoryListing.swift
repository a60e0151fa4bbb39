import AccessorySettings
import SettingsBridge

/// One accessory of the answer to `list`.
struct AccessoryListing: Equatable {
    var id: String
    var isOnline: Bool
    var settings: [Setting]

    /// The accessories in an answer's data.
    static func all(_ data: [UInt8]) -> [AccessoryListing] {
        let document = try? JSONValue.parse(data)
        return document?["accessories"]?.elements.compactMap(AccessoryListing.init) ?? []
    }

    private init?(_ json: JSONValue) {
        guard let id = json["accessory"]?["id"]?.text else { return nil }
        self.id = id
        isOnline = json["online"] == .bool(true)
        settings =
            json["settings"]?.elements.compactMap { element in
                SettingDescriptor(element).map { Setting($0, value: $0.value(json["values"]?[$0.id])) }
            } ?? []
    }
}

extension SettingDescriptor {
    /// - Parameter json: as in `<base>/<acc>/settings`.
    fileprivate init?(_ json: JSONValue) {
        guard let id = json["id"]?.text else { return nil }
        let kind: SettingKind =
            switch json["kind"]?.text {
            case "toggle": .toggle()
            case "range": .range(RangeDescriptor(json))
            case "enumeration":
                .enumeration(
                    json["options"]?.elements.compactMap { option in
                        option["value"]?.text.map {
                            EnumerationOption(rawValue: $0, label: option["label"]?.text ?? $0)
                        }
                    } ?? [])
            case "text":
                .text(
                    maximumLength: json["max_length"]?.number.flatMap(Int.init(exactly:)),
                    isSecret: json["secret"] == .bool(true))
            default: .information(unit: json["unit"]?.text)
            }
        self.init(
            id: id, label: json["label"]?.text ?? id, isEnabled: json["enabled"] != .bool(false),
            isHidden: json["hidden"] == .bool(true), kind: kind)
    }

    /// A value as it stands in JSON; `nil` for one that can't be read.
    fileprivate func value(_ json: JSONValue?) -> SettingValue? {
        switch (kind, json) {
        case (.toggle, .bool(let isOn)?): .toggle(isOn)
        case (.range, let number?): number.number.map(SettingValue.number)
        case (.enumeration, .string(let text)?): .option(text)
        case (.text, let text?), (.information, let text?): text.stateText.map(SettingValue.text)
        default: nil
        }
    }
}

extension RangeDescriptor {
    fileprivate init(_ json: JSONValue) {
        let (lower, step) = (json["min"]?.number, json["step"]?.number)
        // Steps of 1 from a whole number: said of a type for whole numbers they would tell nothing new.
        let isInteger = step == 1 && (lower ?? 0).rounded() == lower ?? 0
        self.init(
            lowerBound: lower, upperBound: json["max"]?.number, step: step, isInteger: isInteger,
            unit: json["unit"]?.text)
    }
}
