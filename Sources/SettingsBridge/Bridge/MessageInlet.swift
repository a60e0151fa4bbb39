import MQTT
import Synchronization

/// Takes the client's messages to the router, which is put together after the client.
final class MessageInlet: Sendable {
    private let router = Mutex<Router?>(nil)

    func open(to router: Router) {
        self.router.withLock { $0 = router }
    }

    func take(_ message: MQTTMessage, _ version: MQTTProtocolVersion) {
        router.withLock { $0 }?.route(message, version)
    }
}
