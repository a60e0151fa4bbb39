import AccessorySettings
import SettingsBridge

/// Reads `settings` of a provider section: an object of settings, by identifier, in the order in which they are shown.
///
/// - Parameter own: reads what the kind of provider wants to know of each setting.
/// - Returns: what `own` returned, beside the setting, for each setting of which is known what it is.
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
        guard let setting = readSetting(id, reader) else {
            // Which other keys are right is not known then.
            reader.ignoreUnknownKeys()
            return nil
        }
        return (reader, setting)
    }
    let byID = Dictionary(settings.map { ($0.1.id, $0.1) }) { first, _ in first }
    return settings.compactMap { reader, setting in
        var setting = setting
        setting.readConditions(reader, byID, names: section.presentKeys)
        return own(reader, setting).map { (setting, $0) }
    }
}

private enum Kind: String, CaseIterable {
    case toggle, range, enumeration, text, information
}

/// - Returns: `nil` when one of the keys has a fault that decide which others there are.
private func readSetting(_ id: String, _ reader: SectionReader) -> DeclaredSetting? {
    let kind = reader.word("kind", as: Kind.self, required: true)
    let label = reader.string("label") ?? id
    let detail = reader.string("detail")
    let entity = readEntity(reader)
    var mapping = ValueMapping()
    var defaultValue: SettingValue?
    var areOptionsClear = true
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
        let (options, isClear) = readOptions(reader, into: &mapping)
        (settingKind, areOptionsClear) = (.enumeration(options), isClear)
        defaultValue = reader.string("default").map { .option($0) }
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
    // With a fault in what decides it is not known which values there are.
    let isUncertain =
        ["min", "max", "step", "integer", "options", "max_length"].contains { reader.isFaulty($0) } || !areOptionsClear
    if let value = defaultValue, !isUncertain, !settingKind.allows(value) {
        let found = Setting(SettingDescriptor(id: id, label: label, kind: settingKind), value: value).valueText
        reader.fault("must be \(settingKind.allowedValues), found \(found)", at: "default")
        defaultValue = nil
    }
    guard !reader.isFaulty("secret"), !(kind == .information && reader.isFaulty("unit")) else { return nil }
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

/// - Returns: the options, and whether these are all.
private func readOptions(
    _ reader: SectionReader, into mapping: inout ValueMapping
) -> (options: [EnumerationOption], areAll: Bool) {
    var options: [EnumerationOption] = []
    var areAll = true
    let sections = reader.sections("options", required: true)
    for section in sections {
        let code = section.deviceValue("code")
        let label = section.string("label")
        guard let value = section.string("value", required: true) else {
            areAll = false
            continue
        }
        guard !options.contains(where: { $0.rawValue == value }) else {
            section.fault("is the value of another option too; each needs its own", at: "value")
            continue
        }
        if options.contains(where: { $0.label == label ?? value }) {
            section.fault(
                "is the label of another option too; each needs its own", at: label == nil ? "value" : "label")
        }
        if let code, options.contains(where: { code.isSame(as: mapping.codes[$0.rawValue] ?? .string($0.rawValue)) }) {
            section.fault("is the device's code of another option too; each needs its own", at: "code")
        }
        options.append(EnumerationOption(rawValue: value, label: label ?? value))
        mapping.codes[value] = code
    }
    if sections.isEmpty, !reader.isFaulty("options") { reader.fault("must list at least one option", at: "options") }
    return (options, areAll && !options.isEmpty)
}

private func readEntity(_ reader: SectionReader) -> EntityOptions? {
    guard let section = reader.optionalSection("home_assistant") else { return nil }
    return EntityOptions(
        name: section.string("name"), icon: section.string("icon"), deviceClass: section.string("device_class"),
        stateClass: section.string("state_class"),
        category: section.word("entity_category", of: ["config", "diagnostic"]),
        isEnabledByDefault: section.boolean("enabled_by_default"))
}
