import AccessorySettings

/// What people read of an error: of a change that failed the reasons alone, each once.
func failureSentence(_ error: any Error) -> String {
    guard let failed = error as? AccessorySettingsChangeError else { return "\(error)" }
    return failed.reasons.sorted { $0.key < $1.key }.map(\.value)
        .reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
        .joined(separator: "; ")
}

/// Why changes failed, by setting.
func failedSettings(_ write: () async throws -> Void) async throws -> [String: String] {
    do {
        try await write()
        return [:]
    } catch let error as AccessorySettingsChangeError {
        return error.reasons
    }
}
