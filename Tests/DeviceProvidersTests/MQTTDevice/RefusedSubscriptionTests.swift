import Foundation
import Glibc
import MQTT
import SettingsBridge
import Synchronization
import TestSupport
import Testing

@testable import DeviceProviders

@Suite("Subscriptions of devices on MQTT that are refused") struct RefusedSubscriptionTests {
    @Test func theyAreTriedAgainOnTheSameConnection() async throws {
        let broker = try RefusingBroker()
        let plan = MQTTDevicePlan(
            settings: [MQTTDevicePlan.Setting(id: "power", state: MQTTDevicePlan.State(topic: "d/power"))],
            timeout: .seconds(30))
        let device = MQTTDeviceConnection(
            plan, over: MQTTConfiguration(host: "127.0.0.1", port: broker.port, clientID: "device", version: .v5),
            subscribingAgainAfter: .milliseconds(10))
        let changes = ChangeCounter(try #require(device.changes()))
        let refusal = DeviceError(
            "the broker refused the subscription to 'd/power': not authorised (reason 135)", mayPass: true)
        await #expect(throws: refusal) { try await device.read() }
        try await waitUntil("further tries") { broker.subscriptions > 3 }
        await #expect(throws: refusal) { try await device.read() }
        let before = changes.count
        broker.grant()
        try await waitUntil("the news of the subscription") { changes.count > before }
        #expect(try await device.read() == ["power": .string("ON")])
        #expect(broker.connections == 1)
    }
}

/// Speaks as much MQTT 5 as it takes to refuse subscriptions for a while, which mosquitto does only with a plug-in.
private final class RefusingBroker: Sendable {
    private struct State {
        var isGranting = false
        var subscriptions = 0
        var connections = 0
    }

    let port: Int
    private let listener: Int32
    private let state = Mutex(State())

    var subscriptions: Int { state.withLock { $0.subscriptions } }
    var connections: Int { state.withLock { $0.connections } }

    init() throws {
        let (listener, port) = try boundSocket()
        (self.listener, self.port) = (listener, port)
        guard listen(listener, 8) == 0 else { throw SpawnError("no port for a stand-in") }
        let thread = Thread { [weak self] in
            while case let connection = accept(listener, nil, nil), connection >= 0 {
                self?.state.withLock { $0.connections += 1 }
                var buffer = [UInt8](repeating: 0, count: 1_024)
                var received: [UInt8] = []
                while case let count = recv(connection, &buffer, buffer.count, 0), count > 0 {
                    received += buffer[..<count]
                    // Packets as short as these have a length of one byte.
                    while received.count > 1, received.count >= 2 + Int(received[1]) {
                        let packet = received.prefix(2 + Int(received[1]))
                        received.removeFirst(packet.count)
                        guard let answer = self?.answer(Array(packet)) else { break }
                        _ = send(connection, answer, answer.count, Int32(MSG_NOSIGNAL))
                    }
                }
                close(connection)
            }
        }
        thread.start()
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    func grant() { state.withLock { $0.isGranting = true } }

    private func answer(_ packet: [UInt8]) -> [UInt8] {
        switch packet[0] >> 4 {
        case 1: return [0x20, 3, 0, 0, 0]
        case 8:
            let isGranting = state.withLock { state in
                state.subscriptions += 1
                return state.isGranting
            }
            let acknowledgement = [0x90, 4, packet[2], packet[3], 0]
            let message = Array("\0\u{7}d/power\0ON".utf8)
            return isGranting ? acknowledgement + [0, 0x31, UInt8(message.count)] + message : acknowledgement + [135]
        case 12: return [0xD0, 0]
        default: return []
        }
    }
}
