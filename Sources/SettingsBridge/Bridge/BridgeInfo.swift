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
        json.object { members(configuration, started: started, version, in: &$0) }
        return json.bytes
    }

    /// The members of the payload.
    static func members(
        _ configuration: BridgeConfiguration, started: Date, _ version: MQTTProtocolVersion, in json: inout JSONWriter
    ) {
        json.field("version", Bridge.version)
        json.field("client_id", configuration.mqtt.clientID)
        json.key("mqtt")
        json.object {
            $0.field("version", version == .v5 ? "5" : "3.1.1")
            $0.field("library", "libmosquitto \(MQTTClient.libraryVersion)")
        }
        json.field("started", started.formatted(.iso8601))
        if let summary = try? JSONEncoder().encode(configuration.summary()),
            let value = try? JSONValue.parse(Array(summary))
        {
            json.key("configuration")
            json.value(value)
        }
    }

    static func clientID(in payload: [UInt8]) -> String? {
        try? JSONDecoder().decode(Client.self, from: Data(payload)).clientID
    }
}
