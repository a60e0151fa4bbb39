import Foundation

/// Makes what `settingsDidChange` of a provider takes: `Bool` for a toggle, `NSNumber` for a range, `String` for an
/// enumeration and for text. Of several changes to one setting the last counts.
func changeDictionary(for changes: [Setting]) -> [String: Any] {
    var dictionary: [String: Any] = [:]
    dictionary.reserveCapacity(changes.count)
    for change in changes {
        if case .information = change.descriptor.kind { continue }
        guard let value = change.value else { continue }
        switch value {
        case .toggle(let isOn):
            dictionary[change.id] = isOn
        case .number(let number):
            if case .range(let range) = change.descriptor.kind, range.isInteger {
                dictionary[change.id] = wholeNumber(number)
            } else {
                dictionary[change.id] = NSNumber(value: number)
            }
        case .option(let text), .text(let text):
            dictionary[change.id] = text
        }
    }
    return dictionary
}

/// An integral `NSNumber`, so that `as? Int` succeeds; a `Double` where no integer type can hold the number.
private func wholeNumber(_ number: Double) -> NSNumber {
    let rounded = number.rounded()
    if let whole = Int64(exactly: rounded) { return NSNumber(value: whole) }
    if let whole = UInt64(exactly: rounded) { return NSNumber(value: whole) }
    return NSNumber(value: number)
}
