import DeviceProviders
import SettingsBridge

/// The configuration of the demo. `config/demo.json` is the same for people to start from.
enum DemoConfiguration {
    static func load() throws(ConfigurationError) -> BridgeConfiguration {
        try .parse(
            Array(text.utf8), file: "demo.json", factories: DeviceProviderFactories.all, accessoriesNeedProvider: true
        ).configuration
    }

    static let text = """
        {
          "mqtt": { "server": "mqtt://localhost:1883" },
          "accessories": [
            {
              "id": "hallway",
              "name": "Hallway thermostat",
              "room": "Hallway",
              "manufacturer": "Acme",
              "model": "T1",
              "firmware": "1.4.0",
              "category": "thermostat",
              "provider": { "type": "simulated", "model": "thermostat" }
            },
            {
              "id": "desk_lamp",
              "name": "Desk lamp",
              "room": "Study",
              "manufacturer": "Acme",
              "model": "L1",
              "firmware": "2.1.7",
              "category": "lightbulb",
              "provider": { "type": "simulated", "model": "lamp" }
            }
          ]
        }

        """
}
