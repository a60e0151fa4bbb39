import MQTT
import SettingsBridge

extension CommandLineTool {
    /// Validates the configuration and, if wanted, reads each device once: prints the settings with the values found, or
    /// what the bridge would publish at start.
    func check(_ path: String?, wantsTopics: Bool, wantsProbe: Bool) async throws -> ExitCode {
        let file = try ConfigurationFile(path, for: .check)
        let configuration = try file.load(accessoriesNeedProvider: needsProviders)
        for warning in configuration.warnings { StandardStream.error.write("warning: \(warning.onOneLine)\n") }
        guard wantsTopics || wantsProbe else {
            StandardStream.output.write("\(file.path): no faults; \(configuration.summaryText)\n")
            return .done
        }
        let preview = await TopicPreview(reading: configuration, extensionSettings: extensionSettings)
        if wantsProbe { StandardStream.output.write(SettingsTable(preview.accessories).text) }
        if wantsTopics { printTopics(preview) }
        return report(preview)
    }

    /// One line for each retained message, in the order in which they would be sent.
    private func printTopics(_ preview: TopicPreview) {
        for message in preview.messages {
            let payload = String(decoding: message.payload, as: UTF8.self).onOneLine
            StandardStream.output.write(message.topic + (payload.isEmpty ? "" : " " + payload) + "\n")
        }
    }

    /// Says what could not be read, and what is odd about what was.
    private func report(_ preview: TopicPreview) -> ExitCode {
        var code = ExitCode.done
        for accessory in preview.accessories {
            let name = accessory.configuration.id.onOneLine
            for warning in accessory.warnings { StandardStream.error.write("warning: \(name): \(warning.onOneLine)\n") }
            guard let problem = accessory.problem else { continue }
            StandardStream.error.write("\(programName): \(name): \(problem.onOneLine)\n")
            code = .failed
        }
        return code
    }
}

extension BridgeConfiguration {
    /// `2 accessories, broker mqtt://localhost:1883, base topic settings2mqtt`
    var summaryText: String {
        "\(accessories.count) \(accessories.count == 1 ? "accessory" : "accessories"), broker \(mqtt.server), "
            + "base topic \(mqtt.baseTopic)"
    }
}
