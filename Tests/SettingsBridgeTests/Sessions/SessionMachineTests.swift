import AccessorySettings
import Testing

@testable import SettingsBridge

@Suite("Reading and writing") struct SessionMachineTests {
    @Test func theFirstReadingPublishesEverythingAndGoesOnline() {
        var session = MachineFixture()
        session.start()
        #expect(session.calls == ["read"])
        #expect(!session.machine.isOnline)
        session.read(MachineFixture.settings())
        #expect(session.machine.isOnline)
        #expect(session.publications.count == 1)
        let parts = session.publications[0]
        #expect(parts.availability && parts.descriptors && parts.document)
        #expect(parts.values == [0, 1, 2, 3, 4] && parts.settingAvailability == [0, 1, 2, 3, 4])
    }

    @Test func nothingIsPublishedWithoutAConnectionAndEverythingWithANewOne() {
        var session = MachineFixture()
        session.startReading()
        session.machine.disconnected()
        session.set("target", "25")
        session.read(MachineFixture.settings(target: 25))
        #expect(session.publications.isEmpty)
        let effects = session.machine.connected(at: session.now)
        guard case .publish(let parts)? = effects.first, effects.count == 1 else {
            Issue.record("not one publication: \(effects)")
            return
        }
        #expect(parts.availability && parts.descriptors)
        #expect(parts.values == [0, 1, 2, 3, 4] && parts.settingAvailability == [0, 1, 2, 3, 4])
    }

    @Test("O19: an unchanged reading publishes nothing")
    func o19Unchanged() {
        var session = MachineFixture()
        session.startReading()
        for _ in 0..<60 {
            session.pass(.seconds(60))
            session.read(MachineFixture.settings())
        }
        #expect(session.publications.isEmpty)
        #expect(session.calls.count == 60)
        session.pass(.seconds(60))
        session.read(MachineFixture.settings(current: "21"))
        #expect(session.published == ["current"])
        #expect(session.publications.map(\.document) == [true])
    }

    @Test func aRefreshIntervalOfZeroNeverReads() {
        var session = MachineFixture(refreshInterval: .zero)
        session.startReading()
        session.pass(.seconds(100_000))
        #expect(session.calls.isEmpty)
    }

    @Test("O27: a JSON set is one change dictionary")
    func o27OneDictionary() {
        var session = MachineFixture()
        session.startReading()
        session.set(nil, #"{"mode":"cool","target":24.5,"power":"OFF"}"#)
        #expect(session.calls == ["power=OFF target=24.5 mode=cool"])
        session.read(MachineFixture.settings(power: false, target: 24.5, mode: "cool"))
        #expect(session.published == ["power", "target", "mode"])
        #expect(session.answers.isEmpty)
    }

    @Test func aJSONSetWithOneBadEntryIsRefusedWhole() {
        var session = MachineFixture()
        session.startReading()
        session.set(nil, #"{"mode":"dry","target":99,"power":"OFF","nope":1}"#)
        #expect(session.calls.isEmpty)
        #expect(session.codes == [.outOfRange, .notAnOption, .unknownSetting])
        // What a slider shows goes back, of all settings that were named.
        #expect(session.published == ["power", "target", "mode"])
    }

    @Test("O30: while a write runs only the newest value waits")
    func o30NewestWaits() {
        var session = MachineFixture()
        session.startReading()
        for step in 0..<50 { session.set("target", "\(5.5 + Double(step) * 0.5)") }
        #expect(session.calls == ["target=5.5"])
        session.read(MachineFixture.settings(target: 5.5))
        session.read(MachineFixture.settings(target: 30))
        #expect(session.calls == ["target=5.5", "target=30"])
        #expect(session.machine.pending.isEmpty && session.machine.call == nil)
    }

    @Test func overtakenSendersWhoAskedAreTold() {
        var session = MachineFixture()
        session.startReading()
        session.set("target", "6", reply: "me/0")
        session.set("target", "7", reply: "me/1")
        session.set("target", "8")
        session.set("target", "9", reply: "me/3")
        #expect(session.answers.map(\.sender.responseTopic) == ["me/1"])
        #expect(session.answers.map(\.outcome) == [.superseded])
        session.read(MachineFixture.settings(target: 6))
        session.read(MachineFixture.settings(target: 9))
        #expect(session.answers.map(\.sender.responseTopic) == ["me/1", "me/0", "me/3"])
        #expect(session.answers.last?.outcome == .ok([.init(setting: "target", value: .number(9))]))
    }

    @Test func anExecutedSetIsPublishedEvenIfNothingChanged() {
        var session = MachineFixture()
        session.startReading()
        session.set("target", "21")
        session.read(MachineFixture.settings())
        #expect(session.published == ["target"])
        #expect(session.answers.isEmpty)
    }

    @Test("O33: a refused write publishes the true value and tells the sender")
    func o33DeviceRefuses() {
        var session = MachineFixture()
        session.startReading()
        session.set("target", "25")
        session.read(
            MachineFixture.settings(), failures: [ChangeFailure(settings: ["target"], message: "the device said no")])
        #expect(session.published == ["target"])
        #expect(session.codes == [.providerFailed])
        #expect(session.answers.map(\.message) == ["lr-thermo: target could not be set to 25: the device said no"])
        session.forget()
        session.set("target", "31")
        session.set("target", "4.5")
        #expect(session.calls.isEmpty)
        #expect(session.codes == [.outOfRange, .outOfRange])
        #expect(session.published == ["target", "target"])
    }

    @Test func ofTwoProvidersOnlyTheFailedOnesSettingsAreRefused() {
        var session = MachineFixture()
        session.startReading()
        session.set(nil, #"{"power":false,"mode":"cool"}"#, reply: "me")
        session.read(
            MachineFixture.settings(power: false), failures: [ChangeFailure(settings: ["mode"], message: "jammed")])
        #expect(session.answers.count == 1)
        #expect(session.codes == [.providerFailed])
    }

    @Test func eachFailedSettingHasItsReasonAndAllThatWereNamedAreReadBack() throws {
        var session = MachineFixture()
        session.startReading()
        session.set(nil, #"{"power":false,"target":25,"mode":"cool"}"#)
        session.read(
            MachineFixture.settings(power: false),
            failures: [
                ChangeFailure(settings: ["mode"], message: "jammed"),
                ChangeFailure(settings: ["target"], message: "the valve is stuck"),
            ])
        let answer = try #require(session.answers.first)
        #expect(
            String(decoding: answer.json(), as: UTF8.self)
                == #"{"status":"error","data":{"accessory":"lr-thermo","settings":{"power":false,"target":21,"mode":"heat"}},"#
                + #""error":{"code":"provider_failed","message":"lr-thermo: target could not be set to 25: the valve is stuck; "#
                + #"mode could not be set to cool: jammed","details":["#
                + #"{"setting":"target","code":"provider_failed","message":"target could not be set to 25: the valve is stuck"},"#
                + #"{"setting":"mode","code":"provider_failed","message":"mode could not be set to cool: jammed"}]}}"#)
    }

    @Test func aReasonThatSeveralSettingsShareIsSaidOnce() {
        var session = MachineFixture()
        session.startReading()
        session.set(nil, #"{"power":false,"target":25,"mode":"cool"}"#)
        session.read(
            MachineFixture.settings(),
            failures: [
                ChangeFailure(settings: ["power", "mode"], message: "no answer within 9 s"),
                ChangeFailure(settings: ["target"], message: "stuck"),
            ])
        let sentence =
            "power could not be set to OFF, mode could not be set to cool: no answer within 9 s; "
            + "target could not be set to 25: stuck"
        #expect(session.answers.map(\.message) == ["lr-thermo: " + sentence])
        #expect(session.log.last == "set failed: " + sentence)
    }

    @Test("O04: a set with the retain flag is refused")
    func o04Retained() {
        var session = MachineFixture()
        session.startReading()
        session.set("power", #"{"value":"OFF","transaction":4}"#, retained: true)
        session.get("power", retained: true)
        #expect(session.calls.isEmpty)
        #expect(session.codes == [.retained, .retained])
        #expect(session.answers.first?.sender.transaction == .integer(4))
    }

    @Test func aRefusalCarriesTheTransaction() {
        var session = MachineFixture()
        session.startReading()
        session.set(nil, #"{"transaction":1}"#)
        session.set("target", #"{"value":99,"transaction":2}"#)
        session.set("target", #"{"value":20,"transaction":3,"more":0}"#)
        session.set("nope", #"{"value":1,"transaction":4}"#)
        #expect(session.answers.map(\.sender.transaction) == [.integer(1), .integer(2), .integer(3), .integer(4)])
    }

    @Test func aPayloadBeyondTheLimitIsNotDecoded() {
        var session = MachineFixture()
        session.startReading()
        session.set("display_text", String(repeating: "x", count: 256 * 1024 + 1))
        #expect(session.codes == [.tooLong])
    }

    @Test func toggleFollowsWhatIsBeingWritten() {
        var session = MachineFixture()
        session.startReading(MachineFixture.settings(power: false))
        session.set("power", "TOGGLE")
        session.set("power", "TOGGLE")
        session.set("power", "TOGGLE")
        session.read(MachineFixture.settings(power: true))
        #expect(session.calls == ["power=ON", "power=ON"])
    }

    @Test func getReadsAgainAndPublishesTheUnchanged() {
        var session = MachineFixture()
        session.startReading()
        session.get("target")
        #expect(session.calls == ["read"])
        session.read(MachineFixture.settings())
        #expect(session.published == ["target"])
        session.forget()
        session.get(reply: "me")
        session.read(MachineFixture.settings())
        #expect(session.published == ["power", "target", "mode", "display_text", "current"])
        #expect(session.answers.count == 1)
        session.forget()
        session.get("nope")
        session.read(MachineFixture.settings())
        #expect(session.codes == [.unknownSetting])
    }

    @Test("O16: a setting that is gone has its topics cleared")
    func o16Removed() {
        var session = MachineFixture(formerSettings: ["power", "old"])
        session.start()
        session.read(MachineFixture.settings())
        #expect(session.publications.map(\.removed) == [["old"]])
        session.forget()
        session.pass(.seconds(60))
        session.read(MachineFixture.settings().filter { $0.id != "display_text" })
        #expect(session.publications.map(\.removed) == [["display_text"]])
        #expect(session.publications.map(\.descriptors) == [true])
        session.forget()
        session.pass(.seconds(60))
        session.read(MachineFixture.settings())
        #expect(session.published == ["display_text"])
    }

    @Test func whatGoesWithoutAConnectionIsClearedWithTheNextOne() {
        var session = MachineFixture(formerSettings: ["old", "power"])
        session.start()
        session.machine.disconnected()
        session.read(MachineFixture.settings())
        session.get()
        session.read(MachineFixture.settings().filter { $0.id != "target" })
        var removed: [[String]] = []
        for _ in 0..<2 {
            for case .publish(let parts) in session.machine.connected(at: session.now) { removed.append(parts.removed) }
        }
        #expect(removed == [["old", "target"], ["old", "target"]], "the first connection may have broken too early")
        session.get()
        session.read(MachineFixture.settings())
        for case .publish(let parts) in session.machine.connected(at: session.now) { removed.append(parts.removed) }
        #expect(removed.last == ["old"])
    }

    @Test func aWaitingChangeOfASettingThatVanishedIsRefusedNotWritten() {
        var session = MachineFixture()
        session.startReading()
        session.set("power", "OFF")
        session.set(nil, #"{"target":25,"mode":"cool"}"#)
        session.read(MachineFixture.settings(power: false).filter { $0.id != "target" })
        #expect(session.codes == [.unknownSetting])
        #expect(session.calls == ["power=OFF"], "all of the message or nothing")
        #expect(session.machine.pending.isEmpty)
    }

    @Test func aWaitingChangeIsHeldAgainstWhatTheSettingHasBecome() {
        var session = MachineFixture()
        session.startReading()
        session.set("power", "OFF")
        session.set("target", "25")
        session.set("mode", "cool")
        var settings = MachineFixture.settings(power: false)
        settings[1].descriptor.kind = .range(RangeDescriptor(lowerBound: 5, upperBound: 20, step: 0.5))
        settings[2].descriptor.isEnabled = false
        session.read(settings)
        #expect(Set(session.codes) == [.outOfRange, .disabled])
        #expect(session.calls == ["power=OFF"])
    }

    @Test func aJSONHeldBackWhenTheConnectionBreaksKeepsNobodyBusy() {
        var session = MachineFixture(refreshInterval: .zero)
        session.startReading()
        session.set("target", "25")
        session.read(MachineFixture.settings(target: 25))
        session.machine.disconnected()
        #expect(session.machine.nextDeadline == nil)
        session.pass(.seconds(1))
        let parts = session.machine.connected(at: session.now).compactMap { effect -> Bool? in
            if case .publish(let parts) = effect { parts.document } else { nil }
        }
        #expect(parts == [true])
    }

    @Test func theDocumentIsHeldBackFor100Milliseconds() {
        var session = MachineFixture()
        session.startReading()
        session.pass(.milliseconds(200))
        for value in [6.0, 7, 8] {
            session.set("target", "\(value)")
            session.read(MachineFixture.settings(target: value))
        }
        #expect(session.publications.map(\.document) == [true, false, false])
        session.forget()
        session.pass(.milliseconds(100))
        #expect(session.publications == [.init(document: true)])
    }

    @Test func aReadingOutsideTheBoundsIsPublishedWithOneWarning() {
        var session = MachineFixture()
        session.startReading()
        for _ in 0..<3 {
            session.get("target")
            session.read(MachineFixture.settings(target: 35))
        }
        #expect(session.machine.snapshot?["target"]?.value == .number(35))
        #expect(session.log == ["target reads outside its own bounds"])
    }

    @Test func theEndOfAnOddityIsToldOnce() {
        var session = MachineFixture()
        let warning = "provider Thermostat lists no settings"
        session.startReading()
        for target: Double? in [35, nil, 36, 21, 22] {
            session.get("target")
            session.read(MachineFixture.settings(target: target), warnings: target == 35 ? [warning] : [])
        }
        #expect(
            session.log == [
                warning, "target reads outside its own bounds", "no longer so: \(warning)",
                "target reads what it may be again",
            ])
        session.forget()

        session.get("mode")
        session.read(MachineFixture.settings(mode: "dry"))
        session.get("mode")
        session.read(MachineFixture.settings(mode: "fan"))
        session.get("mode")
        session.read(MachineFixture.settings(mode: "cool"))
        #expect(
            session.log == [
                "mode reads 'dry', which is none of its options heat, cool",
                "mode reads 'fan', which is none of its options heat, cool", "mode reads what it may be again",
            ])
    }

    @Test("O29: a foreign publish is corrected once in ten seconds")
    func o29ForeignPublish() {
        var session = MachineFixture()
        session.startReading()
        for _ in 0..<5 { _ = session.machine.correct(.value(setting: "nope"), at: session.now) }
        var parts: [AccessoryChange.Parts] = []
        for _ in 0..<5 {
            for case .publish(let part) in session.machine.correct(.value(setting: "power"), at: session.now) {
                parts.append(part)
            }
        }
        #expect(parts == [.init(values: [0])])
        #expect(session.calls.isEmpty)
        // What came meanwhile is put right too, once the time is up.
        session.pass(.seconds(9))
        #expect(session.publications.isEmpty)
        session.pass(.seconds(1))
        #expect(session.publications == [.init(values: [0])])
        session.forget()
        session.pass(.seconds(20))
        #expect(session.publications.isEmpty)
    }
}
