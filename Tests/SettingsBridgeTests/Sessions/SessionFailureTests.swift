import AccessorySettings
import Testing

@testable import SettingsBridge

@Suite("Failures, time-outs, stopping") struct SessionFailureTests {
    @Test("O23: offline after the stated number of failures, and back with fresh values")
    func o23Offline() {
        var session = MachineFixture(offlineAfter: 2)
        session.startReading()
        session.pass(.seconds(60))
        session.failToRead()
        #expect(session.machine.isOnline)
        session.pass(.seconds(2))
        session.failToRead()
        #expect(!session.machine.isOnline)
        #expect(session.publications == [.init(availability: true)])
        #expect(session.log == ["can't be read: no answer", "is offline: can't be read: no answer"])
        session.forget()

        // Refused at once, and tried at once.
        session.set("power", "OFF")
        #expect(session.codes == [.accessoryOffline])
        #expect(session.calls == ["read"])
        session.failToRead()
        #expect(session.log.count == 1, "one line per transition: \(session.log)")
        session.forget()
        session.pass(.seconds(400))
        session.read(MachineFixture.settings(target: 19))
        #expect(session.machine.isOnline)
        #expect(session.published == ["target"])
        #expect(session.publications.map(\.availability) == [true])
    }

    @Test func aFailureThatEndsBeforeTheAccessoryIsOfflineIsToldToHaveEnded() {
        var session = MachineFixture(offlineAfter: 3)
        session.startReading()
        session.pass(.seconds(60))
        session.failToRead()
        session.pass(.seconds(2))
        session.failToRead()
        session.pass(.seconds(3))
        session.read(MachineFixture.settings())
        session.get()
        session.read(MachineFixture.settings())
        #expect(session.log == ["can't be read: no answer", "can be read again"])
        #expect(session.machine.isOnline)
    }

    @Test func retriesDoubleUpToFiveMinutes() {
        var failures = FailureCount()
        var delays: [Duration] = []
        for _ in 0..<12 {
            failures.add()
            delays.append(failures.retryDelay(jitter: 1))
        }
        #expect(delays == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300].map { .seconds($0) })
    }

    @Test func anAccessoryThatWasNeverReadKeepsCommandsAndCarriesThemOut() {
        var session = MachineFixture()
        session.start()
        session.set("target", "6", reply: "me/0")
        session.set("target", "7")
        session.set("power", "OFF")
        #expect(session.calls == ["read"])
        #expect(session.answers.map(\.outcome) == [.superseded])
        session.read(MachineFixture.settings())
        #expect(session.calls == ["read", "power=OFF target=7"])
    }

    @Test func commandsForAnAccessoryThatIsNotReadInTimeAreRefused() {
        var session = MachineFixture(timeout: .seconds(5))
        session.start()
        session.set("target", "6")
        session.pass(.seconds(6), entered: false)
        #expect(session.codes == [.accessoryOffline])
    }

    @Test func noMoreThan256CommandsWait() {
        var session = MachineFixture()
        session.start()
        for number in 0..<300 { session.set("s\(number)", "1") }
        #expect(session.codes.count == 44)
    }

    @Test("O32: a call that takes too long is answered and cancelled; its late result is dropped")
    func o32Timeout() {
        var session = MachineFixture(timeout: .seconds(5), offlineAfter: 3)
        session.startReading()
        session.set("target", "25", reply: "me")
        session.pass(.seconds(5))
        #expect(session.codes == [.timeout])
        #expect(session.answers.map(\.message) == ["lr-thermo: has not answered within 5 s"])
        #expect(session.published == ["target"])
        #expect(session.effects.contains { if case .cancelCall = $0 { true } else { false } })
        session.forget()

        // No second call is made, sets are merged, and each has its own time.
        session.set("target", "26")
        session.pass(.seconds(1))
        session.set("power", "OFF")
        #expect(session.calls.isEmpty)
        session.pass(.seconds(4))
        #expect(session.codes == [.timeout])
        #expect(session.machine.isOnline, "two failures so far")
        session.forget()
        session.read(MachineFixture.settings(target: 25))
        #expect(session.machine.snapshot?["target"]?.value == .number(21), "the late result is dropped")
        #expect(session.calls == ["power=OFF"])
        session.read(MachineFixture.settings(power: false, target: 25))
        #expect(session.published == ["power", "target"])
    }

    @Test func everyFurtherTimeoutCountsAsAFailure() {
        var session = MachineFixture(timeout: .seconds(5), offlineAfter: 3)
        session.startReading()
        session.get()
        session.pass(.seconds(14))
        #expect(session.machine.isOnline)
        session.pass(.seconds(1))
        #expect(!session.machine.isOnline)
    }

    @Test func waitingForTheMainActorIsNobodysFailure() {
        var session = MachineFixture(timeout: .seconds(5))
        session.startReading()
        session.set("target", "25")
        session.pass(.seconds(100), entered: false)
        #expect(session.codes.isEmpty)
        #expect(session.machine.isOnline)
    }

    @Test func aFailedGetIsAnswered() {
        var session = MachineFixture()
        session.startReading()
        session.get()
        session.failToRead("the device is away")
        #expect(session.answers.map(\.verb) == [.get])
        #expect(session.answers.map(\.message) == ["lr-thermo: can't be read: the device is away"])
    }

    @Test func aChangeThatCannotBeReadBackIsNoSuccess() {
        var session = MachineFixture()
        session.startReading()
        session.set("target", "25")
        session.failToRead("away")
        #expect(session.codes == [.providerFailed])
        #expect(session.answers.map(\.message) == ["lr-thermo: target was set to 25, but it can't be read back: away"])
    }

    @Test func aSecretIsNotInTheSentence() {
        var session = MachineFixture()
        let key = SettingDescriptor(
            id: "key", label: "Key", kind: .text(placeholder: nil, maximumLength: nil, isSecret: true))
        session.startReading([Setting(key, value: nil)])
        session.set("key", "s3cret")
        session.read([Setting(key, value: nil)], failures: [ChangeFailure(settings: ["key"], message: "too short")])
        #expect(session.answers.map(\.message) == ["lr-thermo: key could not be set to a new value: too short"])
        session.forget()
        session.set("key", #"{"value": 1234}"#)
        #expect(session.answers.map(\.message) == ["lr-thermo: key takes a text; got something else"])
    }

    // MARK: Stopping

    @Test("O22: what is written and what waits is carried out; later messages are told")
    func o22Stop() {
        var session = MachineFixture()
        session.startReading()
        session.set("target", "25", reply: "me/0")
        session.set("target", "26", reply: "me/1")
        session.forget()
        #expect(session.machine.stop(.bridgeStops).isEmpty)
        #expect(!session.machine.isIdle)
        session.set("power", "OFF")
        #expect(session.codes == [.stopping])
        session.read(MachineFixture.settings(target: 25))
        #expect(!session.machine.isIdle)
        session.read(MachineFixture.settings(target: 26))
        #expect(session.machine.isIdle)
        #expect(session.answers.dropFirst().map(\.sender.responseTopic) == ["me/0", "me/1"])
    }

    @Test func aCallThatIsLateDoesNotHoldUpTheStop() {
        var session = MachineFixture(timeout: .seconds(5))
        session.startReading()
        session.set("target", "25")
        session.pass(.seconds(5))
        _ = session.machine.stop(.bridgeStops)
        #expect(session.machine.isIdle)
    }

    @Test func whoStillWaitsWhenTimeIsUpIsTold() {
        var session = MachineFixture()
        session.startReading()
        session.set("target", "25")
        session.set("power", "OFF")
        _ = session.machine.stop(.bridgeStops)
        let codes = session.machine.abandon().compactMap { effect -> [Refusal.Code]? in
            guard case .answer(let answer) = effect, case .refused(let refusals, _) = answer.outcome else { return nil }
            return refusals.map(\.code)
        }
        #expect(codes == [[.stopping], [.stopping]])
        #expect(session.machine.isIdle)
    }
}
