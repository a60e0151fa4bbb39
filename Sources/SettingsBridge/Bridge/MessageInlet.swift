import MQTT
import Synchronization

/// Takes the client's messages to the router of the moment.
final class MessageInlet: Sendable {
    private let router = Mutex<Router?>(nil)

    /// Opens, or changes the router. When it returns no message is on its way through the former router.
    ///
    /// - Parameter handOver: called after the last message of the former router and before the first of the new one.
    func open(to router: Router, handOver: () -> Void = {}) {
        self.router.withLock {
            handOver()
            $0 = router
        }
    }

    /// Takes nothing more, and lets go of the router.
    func close() {
        router.withLock { $0 = nil }
    }

    func take(_ message: MQTTMessage, _ version: MQTTProtocolVersion) {
        router.withLock { $0?.route(message, version) }
    }
}
