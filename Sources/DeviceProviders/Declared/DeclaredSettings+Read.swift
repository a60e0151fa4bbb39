import AccessorySettings
import SettingsBridge

/// Reads `settings` of a provider section: an object of settings, by identifier, in the order in which they are shown.
///
/// - Parameter own: reads what the kind of provider wants to know of each setting.
/// - Returns: what `own` returned, beside the setting, for each setting without a fault.
func readSettings<Own>(
    _ provider: SectionReader, own: (SectionReader, DeclaredSetting) -> Own?
) -> [(setting: DeclaredSetting, own: Own)] {
    let section = provider.section("settings", required: true, namesAreFree: true)
    if section.presentKeys.isEmpty, !section.hasFaults {
        provider.fault("must declare at least one setting", at: "settings")
    }
    let readers = section.presentKeys.map { id in (id, section.section(id)) }
    let settings = readers.compactMap { id, reader -> (SectionReader, DeclaredSetting)? in
        if id.isEmpty { section.fault("a setting needs an identifier", at: id) }
        return readSetting(id, reader).map { (reader, $0) }
    }
    let byID = Dictionary(settings.map { ($0.1.id, $0.1) }) { first, _ in first }
    return settings.compactMap { reader, setting in
        var setting = setting
        setting.enabledWhen = readCondition("enabled_when", reader, byID)
        setting.hiddenWhen = readCondition("hidden_when", reader, byID)
        return own(reader, setting).map { (setting, $0) }
    }
}

private enum Kind: String, CaseIterable {
    case toggle, range, enumeration, text, information
}

private func readSetting(_ id: String, _ reader: SectionReader) -> DeclaredSetting? {
    let kind = reader.word("kind", as: Kind.self, required: true)
    let label = reader.string("label") ?? id
    let detail = reader.string("detail")
    let entity = readEntity(reader)
    var mapping = ValueMapping()
    var defaultValue: SettingValue?
    let settingKind: SettingKind
    switch kind {
    case .toggle:
        mapping.on = reader.deviceValue("on")
        mapping.off = reader.deviceValue("off")
        if let on = mapping.on, let off = mapping.off, on == off { reader.fault("must differ from 'on'", at: "off") }
        defaultValue = reader.boolean("default").map { .toggle($0) }
        settingKind = .toggle(onLabel: reader.string("on_label"), offLabel: reader.string("off_label"))
    case .range:
        readScale(reader, into: &mapping)
        settingKind = .range(readRange(reader))
        defaultValue = reader.number("default").map { .number($0) }
    case .enumeration:
        let options = readOptions(reader, into: &mapping)
        settingKind = .enumeration(options)
        defaultValue = reader.string("default").flatMap { raw in
            if options.contains(where: { $0.rawValue == raw }) { return .option(raw) }
            reader.fault("must be one of the options' values", at: "default")
            return nil
        }
    case .text:
        settingKind = .text(
            placeholder: reader.string("placeholder"),
            maximumLength: reader.integer("max_length", in: 1...65_535), isSecret: reader.boolean("secret") ?? false)
        defaultValue = reader.string("default", allowsEmpty: true).map { .text($0) }
    case .information:
        let unit = reader.string("unit")
        if unit != nil { readScale(reader, into: &mapping) }
        settingKind = .information(unit: unit)
    case nil:
        return nil
    }
    return DeclaredSetting(
        descriptor: SettingDescriptor(id: id, label: label, detail: detail, kind: settingKind, entity: entity),
        defaultValue: defaultValue, mapping: mapping)
}

private func readScale(_ reader: SectionReader, into mapping: inout ValueMapping) {
    if let scale = reader.number("scale") {
        if scale == 0 { reader.fault("must not be 0", at: "scale") } else { mapping.scale = scale }
    }
    mapping.offset = reader.number("offset") ?? 0
}

private func readRange(_ reader: SectionReader) -> RangeDescriptor {
    let low = reader.number("min")
    let high = reader.number("max")
    let step = reader.number("step")
    if let low, let high, low > high { reader.fault("must not be below 'min'", at: "max") }
    if let step, step <= 0 { reader.fault("must be above 0", at: "step") }
    return RangeDescriptor(
        lowerBound: low, upperBound: high, step: step, isInteger: reader.boolean("integer") ?? false,
        unit: reader.string("unit"), decimalPrecision: reader.integer("precision", in: 0...9))
}

private func readOptions(_ reader: SectionReader, into mapping: inout ValueMapping) -> [EnumerationOption] {
    var options: [EnumerationOption] = []
    for option in reader.sections("options", required: true) {
        let code = option.deviceValue("code")
        guard let value = option.string("value", required: true) else { continue }
        if options.contains(where: { $0.rawValue == value }) {
            option.fault("is the value of another option too", at: "value")
        }
        options.append(EnumerationOption(rawValue: value, label: option.string("label") ?? value))
        mapping.codes[value] = code
    }
    if options.isEmpty, !reader.hasFaults { reader.fault("must list at least one option", at: "options") }
    return options
}

private func readEntity(_ reader: SectionReader) -> EntityOptions? {
    guard let section = reader.optionalSection("home_assistant") else { return nil }
    return EntityOptions(
        name: section.string("name"), icon: section.string("icon"), deviceClass: section.string("device_class"),
        stateClass: section.string("state_class"),
        category: section.word("entity_category", of: ["config", "diagnostic"]),
        isEnabledByDefault: section.boolean("enabled_by_default"))
}

private func readCondition(
    _ key: String, _ reader: SectionReader, _ settings: [String: DeclaredSetting]
) -> DeclaredSetting.Condition? {
    guard let section = reader.optionalSection(key) else { return nil }
    let value = section.deviceValue("equals", required: true)
    guard let id = section.string("setting", required: true) else { return nil }
    guard let setting = settings[id] else {
        section.fault("must be another setting of this accessory", at: "setting")
        return nil
    }
    guard let value else { return nil }
    guard let equal = setting.declaredValue(value) else {
        section.fault("must be a value of \(id)", at: "equals")
        return nil
    }
    return DeclaredSetting.Condition(setting: id, value: equal)
}

extension DeclaredSetting {
    /// A value of ours as it stands in the configuration.
    fileprivate func declaredValue(_ value: JSONValue) -> SettingValue? {
        switch (descriptor.kind, value) {
        case (.toggle, .bool(let flag)): .toggle(flag)
        case (.range, .integer(let integer)): .number(Double(integer))
        case (.range, .number(let number)): .number(number)
        case (.enumeration(let options), .string(let raw)):
            options.contains { $0.rawValue == raw } ? .option(raw) : nil
        case (.text, .string(let text)), (.information, .string(let text)): .text(text)
        default: nil
        }
    }
}
