import MQTT
import SettingsBridge
import Testing

@testable import DeviceProviders

@Suite("What is known of a device on MQTT") struct MQTTDeviceStateTests {
    private static let plan = MQTTDevicePlan(
        settings: [MQTTDevicePlan.Setting(id: "power", state: MQTTDevicePlan.State(topic: "d/power"))],
        availability: MQTTDevicePlan.Availability(topic: "d/LWT", online: "on", offline: "off"),
        timeout: .seconds(1))

    /// A state by reference, so that expectations can change it.
    private final class Device {
        var state: MQTTDeviceState

        /// Subscribed, and read once as "ON".
        ///
        /// - Parameter isAsked: whether readings ask for the state.
        init(asking isAsked: Bool = false) throws {
            var plan = plan
            if isAsked { plan.request = MQTTDevicePlan.Request(topic: "d/get", payload: []) }
            state = MQTTDeviceState(plan: plan)
            #expect(changeLink(to: .subscribed))
            #expect(receive("power", "ON"))
            begin()
            #expect(try read() == ["power": .string("ON")])
            #expect(!end(), "nothing is left to tell")
        }

        /// - Returns: whether the device is asked.
        @discardableResult func begin() -> Bool { state.beginReading() }
        func read() throws -> [String: JSONValue] { try state.reading(askedAt: nil) { _ in } }
        func end() -> Bool { state.endReading() }
        func receive(_ topic: String, _ payload: String) -> Bool {
            state.receive(MQTTDeviceDocument(MQTTMessage(topic: "d/\(topic)", payload: payload), for: state.plan))
        }
        func changeLink(to link: MQTTDeviceState.Link) -> Bool { state.linkChanged(to: link) }
    }

    @Test func whatComesAfterAReadingAndBeforeItsEndIsTold() throws {
        let device = try Device()
        device.begin()
        #expect(!device.receive("power", "OFF"), "the reading tells it")
        #expect(try device.read() == ["power": .string("OFF")])
        #expect(!device.receive("power", "ON"))
        #expect(device.end())

        device.begin()
        _ = try device.read()
        #expect(!device.changeLink(to: .failed("gone")))
        #expect(device.end())
        #expect(!device.end(), "once")
    }

    @Test func whatACancelledReadingWouldHaveToldIsToldAtItsEnd() throws {
        let device = try Device()
        device.begin()
        #expect(!device.receive("power", "OFF"))
        #expect(device.end())
    }

    @Test func ofSeveralReadingsTheLastTells() throws {
        let device = try Device()
        device.begin()
        device.begin()
        _ = try device.read()
        #expect(!device.receive("power", "OFF"))
        #expect(!device.end())
        #expect(device.end())
    }

    @Test func afterAFailedReadingTheSameStateIsNews() throws {
        let device = try Device()
        #expect(!device.receive("power", "ON"))
        device.begin()
        #expect(throws: DeviceError.self) {
            try device.state.reading(askedAt: nil) { _ throws(DeviceError) in throw DeviceError("no") }
        }
        #expect(!device.end())
        #expect(device.receive("power", "ON"))
    }

    @Test func aDeviceThatIsBackIsAskedAgain() throws {
        let device = try Device(asking: true)
        #expect(device.receive("power", "OFF"))
        #expect(!device.begin(), "the state came by itself")
        #expect(try device.read() == ["power": .string("OFF")])
        #expect(!device.end())

        // It is not retained, and after a start it may be another.
        #expect(device.receive("LWT", "off"))
        #expect(device.receive("LWT", "on"))
        #expect(device.begin())
        #expect(!device.state.isComplete(askedAt: device.state.stateCount), "what came before does not count")
    }

    @Test func ofAPayloadBeyondTheLimitNothingIsKept() throws {
        let device = try Device()
        #expect(device.receive("power", String(repeating: "x", count: 1_000_001)))
        #expect(device.state.values == [:])
        #expect(throws: DeviceError("the payload on 'd/power' is larger than 1 MB")) { try device.read() }
        let text = String(repeating: "x", count: 1_000_000)
        #expect(device.receive("power", text))
        #expect(try device.read() == ["power": .string(text)])
    }

    @Test func aClearedAvailabilitySaysNothing() throws {
        let device = try Device()
        #expect(device.receive("LWT", "off"))
        #expect(device.state.isOffline)
        #expect(!device.receive("power", "OFF"), "a reading would fail all the same")
        #expect(device.receive("LWT", ""))
        #expect(!device.state.isOffline)
    }

    @Test func aNewConnectionKnowsNothingOfTheAvailability() throws {
        let device = try Device()
        _ = device.receive("LWT", "off")
        _ = device.changeLink(to: .failed("gone"))
        device.state.connectionBegan()
        #expect(!device.state.isOffline)
    }

    @Test func theAvailabilityIsSubscribedFirst_AndNoTopicTwice() {
        var plan = Self.plan
        plan.settings += [
            MQTTDevicePlan.Setting(id: "a", state: MQTTDevicePlan.State(topic: "d/LWT")),
            MQTTDevicePlan.Setting(id: "b", state: MQTTDevicePlan.State(topic: "d/power")),
        ]
        #expect(plan.topicGroups == [["d/LWT"], ["d/power"]])
    }
}
