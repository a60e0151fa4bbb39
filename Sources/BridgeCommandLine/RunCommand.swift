import DeviceProviders
import SettingsBridge

extension CommandLineTool {
    /// Runs the bridge with the configuration in a file.
    func run(_ path: String?) async throws -> ExitCode {
        let file = try ConfigurationFile(path, for: .run)
        let configuration = try file.load(accessoriesNeedProvider: needsProviders)
        return await runBridge(configuration, from: file.path) { () throws(ConfigurationError) in
            try file.load(accessoriesNeedProvider: needsProviders)
        }
    }

    /// Runs a bridge until a signal stops it.
    ///
    /// - Parameters:
    ///   - origin: where the configuration comes from, for the log.
    ///   - load: reads the configuration again, for reloads.
    func runBridge(
        _ configuration: BridgeConfiguration, from origin: String, load: Bridge.ConfigurationLoader? = nil
    ) async -> ExitCode {
        let control = LogControl(configuration.log)
        let sink = LimitedLogSink(StandardErrorSink { control.format })
        let log = Log(sink, control)
        let count = configuration.accessories.count
        log.info(
            "bridge",
            "settings2mqtt \(Bridge.version) starts: configuration \(origin), "
                + "\(count) \(count == 1 ? "accessory" : "accessories"), broker \(configuration.mqtt.server)")
        if configuration.accessories.isEmpty { log.warning("configuration", "there are no accessories in it") }
        if configuration.mqtt.server.isTLS, !configuration.mqtt.rejectUnauthorized {
            log.warning("mqtt", "reject_unauthorized is off: whoever answers is taken for the broker")
        }
        for warning in configuration.warnings { log.warning("configuration", warning) }
        let bridge = Bridge(configuration, extensionSettings: extensionSettings, log: log, load: load)
        let systemd = SystemdNotifier()
        let signals = Signals(log: log) {
            systemd?.stopping()
            await bridge.stop()
            sink.finish()
        } reload: {
            systemd?.reloading()
            await bridge.reload(for: "SIGHUP")
            systemd?.ready()
        }
        // The broker may come later: a bridge that waits for it has started.
        systemd?.ready()
        let accompanying = systemd.map { systemd in Task { await systemd.accompany(bridge) } }
        defer {
            signals.cancel()
            accompanying?.cancel()
            sink.finish()
        }
        do throws(BridgeError) {
            try await bridge.run()
            return .done
        } catch {
            log.error("bridge", "\(error)")
            return .failed
        }
    }
}
