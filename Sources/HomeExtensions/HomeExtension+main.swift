import AccessorySettings
import BridgeCommandLine
import Foundation

extension HomeExtension {
    /// Runs the extension as a bridge, with the command line of `settings2mqtt`.
    ///
    /// Accessories of the configuration that have no `provider` are served by the extension's settings. Where Apple's
    /// systems would talk to the Home app, this talks to an MQTT broker; it returns never.
    @MainActor public static func main() throws {
        let name = CommandLine.arguments.first.map { URL(filePath: $0).lastPathComponent }
        CommandLineTool(
            programName: name ?? "\(Self.self)", extensionSettings: Self().accessorySettings, needsProviders: false
        ).main(Array(CommandLine.arguments.dropFirst()))
    }
}
