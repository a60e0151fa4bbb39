import Foundation
import MQTT

/// The payload of `bridge/info`.
enum BridgeInfo {
    private struct Client: Decodable {
        var clientID: String

        private enum CodingKeys: String, CodingKey { case clientID = "client_id" }
    }

    /// The whole payload.
    static func json(
        _ configuration: BridgeConfiguration, started: Date, _ version: MQTTProtocolVersion
    ) -> [UInt8] {
        var json = JSONWriter()
        json.object {
            $0.field("version", Bridge.version)
            $0.field("client_id", configuration.mqtt.clientID)
            $0.key("mqtt")
            $0.object {
                $0.field("version", version == .v5 ? "5" : "3.1.1")
                $0.field("library", "libmosquitto \(MQTTClient.libraryVersion)")
            }
            $0.field("started", started.formatted(.iso8601))
            if let summary = try? JSONEncoder().encode(configuration.summary()),
                let value = try? JSONValue.parse(Array(summary))
            {
                $0.key("configuration")
                $0.value(value)
            }
        }
        return json.bytes
    }

    static func clientID(in payload: [UInt8]) -> String? {
        try? JSONDecoder().decode(Client.self, from: Data(payload)).clientID
    }
}
