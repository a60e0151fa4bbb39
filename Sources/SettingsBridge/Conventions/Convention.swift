public import MQTT

/// A way to put accessories on MQTT: which messages tell of a change.
///
/// Sessions and topics know nothing of conventions; a new one is a file or folder here and a line where the bridge is
/// put together.
public protocol Convention: Sendable {
    /// The messages that publish the news in `change`, in the order in which they must arrive.
    func messages(for change: AccessoryChange) -> [MQTTMessage]
}

extension BridgeConfiguration {
    /// The conventions that accessories are published by.
    var conventions: [any Convention] { [PlainTopics(BridgeTopics(base: mqtt.baseTopic))] }
}
