// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that the tests of settings2mqtt don't build it. `Benchmarks/run` builds and runs all of it.
let package = Package(
    name: "Benchmarks",
    dependencies: [.package(name: "settings2mqtt", path: "..")],
    targets: [
        .systemLibrary(name: "LibMosquitto", pkgConfig: "libmosquitto", providers: [.apt(["libmosquitto-dev"])]),
        .executableTarget(name: "EchoC", dependencies: ["LibMosquitto"]),
        .executableTarget(name: "Devices"),
        .executableTarget(name: "Load", dependencies: ["LibMosquitto"]),
        .executableTarget(
            name: "BenchmarkExtension",
            dependencies: [
                .product(name: "HomeExtensions", package: "settings2mqtt"),
                .product(name: "HomeKit", package: "settings2mqtt"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
