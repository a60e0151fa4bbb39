import Foundation
import SettingsBridge
import Testing

@testable import BridgeCommandLine

@Suite struct DemoConfigurationTests {
    @Test func `config/demo.json is the configuration of the demo`() throws {
        let file = URL(filePath: #filePath).appending(path: "../../../config/demo.json").standardized
        #expect(try String(contentsOf: file, encoding: .utf8) == DemoConfiguration.text)
    }

    @Test func `the demo has a thermostat and a lamp`() throws {
        #expect(try DemoConfiguration.load().accessories.map(\.id) == ["hallway", "desk_lamp"])
    }
}
