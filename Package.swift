// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "settings2mqtt",
    products: [
        .library(name: "HomeExtensions", targets: ["HomeExtensions"]),
        .library(name: "HomeKit", targets: ["HomeKit"]),
        .executable(name: "settings2mqtt", targets: ["settings2mqtt"]),
        .executable(name: "ThermostatExtension", targets: ["ThermostatExtension"]),
    ],
    targets: [
        // The walls of the house: who may import whom. `script/check-imports` holds the sources to this table.
        .systemLibrary(
            name: "CMosquitto", pkgConfig: "libmosquitto", providers: [.apt(["libmosquitto-dev"])]),
        .target(name: "MQTT", dependencies: ["CMosquitto"]),
        .target(name: "HomeKit"),
        .target(name: "AccessorySettings", dependencies: ["HomeKit"]),
        .target(name: "SettingsBridge", dependencies: ["AccessorySettings", "HomeKit", "MQTT"]),
        .target(
            name: "DeviceProviders", dependencies: ["SettingsBridge", "AccessorySettings", "HomeKit", "MQTT"]),
        .target(
            name: "BridgeCommandLine",
            dependencies: ["DeviceProviders", "SettingsBridge", "AccessorySettings", "HomeKit", "MQTT"]),
        .target(name: "HomeExtensions", dependencies: ["AccessorySettings", "BridgeCommandLine"]),
        .executableTarget(name: "settings2mqtt", dependencies: ["BridgeCommandLine"]),
        .executableTarget(name: "ThermostatExtension", dependencies: ["HomeExtensions", "HomeKit"]),

        .target(name: "TestSupport", path: "Tests/TestSupport"),
        .executableTarget(
            name: "StubbornExtension", dependencies: ["HomeExtensions", "HomeKit"], path: "Tests/StubbornExtension"),
        .executableTarget(
            name: "HomeAssistantExtension", dependencies: ["HomeExtensions", "HomeKit"],
            path: "Tests/HomeAssistantExtension"),
        .testTarget(name: "MQTTTests", dependencies: ["MQTT", "TestSupport"]),
        .testTarget(name: "AccessorySettingsTests", dependencies: ["AccessorySettings", "HomeKit"]),
        .testTarget(name: "AppleSourcesTests", dependencies: ["HomeExtensions", "HomeKit"]),
        .testTarget(
            name: "SettingsBridgeTests",
            dependencies: ["SettingsBridge", "AccessorySettings", "HomeKit", "MQTT", "TestSupport"]),
        .testTarget(
            name: "DeviceProvidersTests",
            dependencies: ["DeviceProviders", "SettingsBridge", "AccessorySettings", "HomeKit", "MQTT", "TestSupport"]),
        .testTarget(
            name: "BridgeCommandLineTests",
            dependencies: ["BridgeCommandLine", "SettingsBridge", "AccessorySettings", "MQTT", "TestSupport"]),
    ],
    swiftLanguageModes: [.v6]
)

/// Targets written as their authors would write them for Apple's systems: no settings of ours.
let writtenForApple: Set = [
    "ThermostatExtension", "StubbornExtension", "HomeAssistantExtension", "AppleSourcesTests",
]

for target in package.targets where target.type != .system && !writtenForApple.contains(target.name) {
    target.swiftSettings = [
        .treatAllWarnings(as: .error),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ]
}
