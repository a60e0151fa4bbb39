import Foundation
import HomeExtensions
import HomeKit

/// One content.
struct LampExtension: HomeExtension {
    var body: some HomeContent {
        HomeAccessorySettings(context: { LampProvider.Nothing() }, provider: { LampProvider() })
    }
}

/// Several contents, in trailing-closure and labelled form, with filters on the main actor and off it.
struct HouseExtension: HomeExtension {
    @MainActor static let fan = Fan()

    var body: some HomeContent {
        HomeAccessorySettings {
            VentilationContext(fan: Self.fan)
        } provider: {
            VentilationProvider()
        } filter: { accessory in
            accessory.category.categoryType == HMAccessoryCategoryTypeFan
        }
        HomeAccessorySettings(
            context: { LampProvider.Nothing() }, provider: { LampProvider() },
            filter: { @MainActor accessory in accessory.manufacturer == "Acme" && accessory.room?.name == "Hall" })
        HomeAccessorySettings {
            LampProvider.Nothing()
        } provider: {
            LampProvider()
        }
    }
}

/// Contents that depend on conditions.
struct ConditionalExtension: HomeExtension {
    enum Edition {
        case none, small, full
    }

    @MainActor static var edition = Edition.full
    @MainActor static var isBeta = false

    var body: some HomeContent {
        if Self.isBeta {
            lamps
        }
        switch Self.edition {
        case .none:
            lamps
            lamps
        case .small:
            lamps
        case .full:
            if Self.isBeta {
                lamps
            } else {
                lamps
                fans
            }
        }
    }

    private var lamps: HomeAccessorySettings {
        HomeAccessorySettings {
            LampProvider.Nothing()
        } provider: {
            LampProvider()
        }
    }

    @ContentBuilder private var fans: some HomeContent {
        HomeAccessorySettings {
            VentilationContext(fan: Fan())
        } provider: {
            VentilationProvider()
        }
        lamps
    }
}

/// No content.
struct EmptyExtension: HomeExtension {
    var body: some HomeContent {
    }
}
