public import AccessorySettings
import Foundation
import SettingsBridge

/// The command line of a bridge: of `settings2mqtt` itself, and of every Home extension.
public struct CommandLineTool: Sendable {
    /// As people call the program.
    let programName: String
    /// What serves the accessories that have no `provider` in the configuration.
    let extensionSettings: [HomeAccessorySettings]
    /// Whether an accessory without `provider` is a fault of the configuration.
    let needsProviders: Bool

    /// - Parameters:
    ///   - programName: for help and messages.
    ///   - extensionSettings: what serves the accessories that have no `provider` of their own, by filter.
    ///   - needsProviders: whether an accessory without `provider` is a fault of the configuration.
    public init(programName: String, extensionSettings: [HomeAccessorySettings] = [], needsProviders: Bool = true) {
        self.programName = programName
        self.extensionSettings = extensionSettings
        self.needsProviders = needsProviders
    }

    /// Does what the arguments ask for, and ends the process.
    ///
    /// The main thread runs the main run loop, for the providers; everything else happens elsewhere, so that the
    /// process ends even while a provider blocks the main thread.
    ///
    /// - Parameter arguments: without the program's own name.
    @MainActor public func main(_ arguments: [String]) -> Never {
        Task.detached { await perform(arguments).leave() }
        while true { RunLoop.main.run() }
    }

    private func perform(_ arguments: [String]) async -> ExitCode {
        do {
            switch try Command(arguments) {
            case .run(let path): return try await run(path)
            case .check(let path, let wantsTopics, let wantsProbe):
                return try await check(path, wantsTopics: wantsTopics, wantsProbe: wantsProbe)
            case .demo: return try await demo()
            case .client(let command, let options): return try await talk(command, options)
            case .help(let verb): StandardStream.output.write(Help(programName).text(for: verb))
            case .version: StandardStream.output.write("\(programName) \(Help.version)\n")
            }
            return .done
        } catch let error as UsageError {
            StandardStream.error.write("\(programName): \(error.message)\n\(Help(programName).hint(after: error))\n")
            return .misuse
        } catch let error as ConfigurationError {
            StandardStream.error.write("\(error)\n")
            return .misuse
        } catch let error as NoAnswer {
            StandardStream.error.write("\(programName): \(error)\n")
            return .noAnswer
        } catch {
            StandardStream.error.write("\(programName): \(error)\n")
            return .failed
        }
    }
}

/// Why a command could not be carried out, in a sentence.
struct CommandFailure: Error, CustomStringConvertible {
    var description: String
}
