/// The settings of one accessory at one moment: a property for each setting, declared with one of the setting property
/// wrappers. A provider makes a new container on every read.
@MainActor public protocol HomeAccessorySettingsContainer {
    /// The projections (`$eco`) of the settings to show, in the order in which they are shown.
    @MainActor var availableSettings: [any HomeAccessorySetting] { get }
}

/// What a provider needs to reach its accessories, handed to it on every call.
public protocol HomeAccessorySettingsContext {}
