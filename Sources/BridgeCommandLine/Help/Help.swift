import MQTT
import SettingsBridge

/// What `--help` prints: at most 80 columns wide.
struct Help {
    static let version = "\(Bridge.version) (libmosquitto \(MQTTClient.libraryVersion))"

    let program: String

    init(_ program: String) {
        self.program = program
    }

    /// Where to read on after wrong usage.
    func hint(after error: UsageError) -> String {
        "See '\([program, error.verb?.rawValue, "--help"].compactMap(\.self).joined(separator: " "))'."
    }

    func text(for verb: Command.Verb?) -> String {
        switch verb {
        case nil: overview
        case .run: run
        case .check: check
        case .demo: demo
        case .list: list
        case .get: get
        case .set: set
        case .watch: watch
        case .healthcheck: healthcheck
        }
    }

    private var overview: String {
        """
        Puts the settings of home accessories on MQTT.

        Usage: \(program) COMMAND [ARGUMENTS] [OPTIONS]

        The bridge:
          run          run the bridge
          check        check the configuration without connecting to the broker
          demo         try the bridge with a broker of its own and simulated accessories

        Talking to a bridge that runs:
          list         list accessories, their settings and values
          get          read a value anew from its accessory
          set          change settings
          watch        print changes as they come
          healthcheck  say whether the bridge is online

        Options, for every command too:
          -h, --help   show help
          --version    show the version

        Exit codes:
          0    done
          1    refused or failed
          2    wrong usage, or a fault in the configuration
          3    no bridge answers

        """
    }

    /// The lines below the option of a configuration file.
    var standardFiles: String {
        ConfigurationFile.standardPaths.map { "                         \($0)" }.joined(separator: "\n")
    }
}
