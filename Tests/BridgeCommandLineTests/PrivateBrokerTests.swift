import Testing

@testable import BridgeCommandLine

@Suite struct PrivateBrokerTests {
    @Test func `without mosquitto the demo says what to install`() async {
        let error = await #expect(throws: CommandFailure.self) {
            try await PrivateBroker.start(lookingIn: ["/nowhere"])
        }
        #expect(error?.description.contains("apt install mosquitto mosquitto-clients") == true)
    }
}
