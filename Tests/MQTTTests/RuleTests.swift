import Testing

@testable import MQTT

@Suite struct ReconnectScheduleTests {
    @Test func pausesGrowToThirtySeconds() {
        var schedule = ReconnectSchedule()
        let delays = (0..<8).map { _ in schedule.nextDelay(connectedFor: nil, random: 0) }
        #expect(delays == [1, 2, 4, 8, 16, 30, 30, 30].map { .seconds($0) })
    }

    @Test func jitterIsAFifthEachWay() {
        var schedule = ReconnectSchedule()
        #expect(schedule.nextDelay(connectedFor: nil, random: -1) == .milliseconds(800))
        #expect(schedule.nextDelay(connectedFor: nil, random: 1) == .milliseconds(2400))
    }

    @Test func onlyALongConnectionStartsAnew() {
        var schedule = ReconnectSchedule()
        for _ in 0..<3 { _ = schedule.nextDelay(connectedFor: nil, random: 0) }
        #expect(schedule.nextDelay(connectedFor: .seconds(29), random: 0) == .seconds(8))
        #expect(schedule.nextDelay(connectedFor: .seconds(30), random: 0) == .seconds(1))
    }

    @Test("O11: a wrong password is tried at most 20 times in 2 minutes")
    func attemptsInTwoMinutes() {
        var schedule = ReconnectSchedule()
        var time = Duration.zero
        var attempts = 0
        while time < .seconds(120) {
            attempts += 1
            time += schedule.nextDelay(connectedFor: nil, random: -1)
        }
        #expect(attempts <= 20)
    }
}

@Suite struct VersionNegotiationTests {
    @Test func aFixedVersionStays() {
        for (choice, version) in [(MQTTConfiguration.ProtocolVersionChoice.v5, MQTTProtocolVersion.v5), (.v311, .v311)]
        {
            var negotiation = VersionNegotiation(choice)
            for kind in [MQTTConnectionFailure.Kind.unsupportedVersion, .closedBeforeAnswer, .closedBeforeAnswer] {
                #expect(negotiation.failed(with: kind) == false)
            }
            #expect(negotiation.version == version)
        }
    }

    @Test func anExplicitRefusalFallsBackAtOnceAndForGood() {
        var negotiation = VersionNegotiation(.automatic)
        #expect(negotiation.version == .v5)
        #expect(negotiation.failed(with: .unsupportedVersion) == true)
        #expect(negotiation.version == .v311)
        #expect(negotiation.failed(with: .unsupportedVersion) == false)
        #expect(negotiation.version == .v311)
    }

    @Test func twoClosesInARowFallBackAndTwoMoreGoBack() {
        var negotiation = VersionNegotiation(.automatic)
        #expect(negotiation.failed(with: .closedBeforeAnswer) == false)
        #expect(negotiation.failed(with: .nobodyListens) == false)
        #expect(negotiation.failed(with: .closedBeforeAnswer) == false)
        #expect(negotiation.version == .v5)
        #expect(negotiation.failed(with: .closedBeforeAnswer) == false)
        #expect(negotiation.version == .v311)
        _ = negotiation.failed(with: .closedBeforeAnswer)
        _ = negotiation.failed(with: .closedBeforeAnswer)
        #expect(negotiation.version == .v5)
    }

    @Test(arguments: [
        MQTTConnectionFailure.Kind.noAnswer, .badCredentials, .refused, .nobodyListens, .unknownHost, .unreachable,
        .tls,
        .keepAliveTimeout, .certificateExpired,
    ])
    func otherFailuresSayNothing(kind: MQTTConnectionFailure.Kind) {
        var negotiation = VersionNegotiation(.automatic)
        for _ in 0..<5 { #expect(negotiation.failed(with: kind) == false) }
        #expect(negotiation.version == .v5)
    }

    @Test func whatWorkedIsKept() {
        var negotiation = VersionNegotiation(.automatic)
        negotiation.connected()
        for _ in 0..<4 { _ = negotiation.failed(with: .closedBeforeAnswer) }
        #expect(negotiation.version == .v5)
    }
}

@Suite struct TakeOverSuspicionTests {
    @Test func twoShortConnectionsInARowAreSuspect() {
        var suspicion = TakeOverSuspicion()
        #expect(suspicion.ended(with: .connectionLost, after: .seconds(1)) == false)
        #expect(suspicion.ended(with: .connectionLost, after: .seconds(1)) == true)
        #expect(suspicion.ended(with: .connectionLost, after: .seconds(10)) == false)
        #expect(suspicion.ended(with: .connectionLost, after: .seconds(1)) == false)
        #expect(suspicion.ended(with: .keepAliveTimeout, after: .seconds(1)) == false)
        #expect(suspicion.ended(with: .connectionLost, after: .seconds(1)) == false)
    }
}

@Suite struct PublishLedgerTests {
    @Test func remembersWhatIsRefusedUntilItIsTaken() {
        var ledger = PublishLedger(limit: 4)
        ledger.sent(1, topic: "state", isRetained: true)
        ledger.sent(2, topic: "answer")
        _ = ledger.acknowledged(1, isRefusal: true)
        _ = ledger.acknowledged(2, isRefusal: true)
        #expect(ledger.refused == ["state"])
        ledger.sent(3, topic: "state", isRetained: true)
        _ = ledger.acknowledged(3)
        #expect(ledger.refused == [])
    }

    @Test func itIsFullAtTheLimitAndTellsOnceOfRoom() {
        var ledger = PublishLedger(limit: 4)
        for id in 1...4 as ClosedRange<Int32> {
            let hasRoom = ledger.hasRoom()
            #expect(hasRoom)
            ledger.sent(id, topic: "t\(id)")
        }
        #expect(ledger.hasRoom() == false)
        #expect(ledger.acknowledged(2) == "t2")
        #expect(ledger.hasRoomAgain() == false)
        #expect(ledger.acknowledged(1) == "t1")
        #expect(ledger.hasRoomAgain() == true)
        #expect(ledger.hasRoomAgain() == false)
        #expect(ledger.count == 2)
    }

    @Test func writesOfQoS0CountUntilWritten() {
        var ledger = PublishLedger(limit: 2)
        ledger.willWrite()
        ledger.willWrite()
        #expect(ledger.hasRoom() == false)
        #expect(ledger.acknowledged(77) == nil)
        ledger.didNotWrite()
        #expect(ledger.count == 0)
    }
}

@Suite struct SecretTests {
    @Test("O10: a secret shows up in no description")
    func hidden() {
        var configuration = MQTTConfiguration(host: "h", clientID: "c")
        configuration.password = Secret("S3cret-Pa55-42")
        var dumped = ""
        dump(configuration, to: &dumped)
        for text in ["\(configuration)", String(reflecting: configuration), dumped, "\(Secret("S3cret-Pa55-42"))"] {
            #expect(!text.contains("S3cret"))
        }
        #expect(configuration.password?.reveal { $0 } == "S3cret-Pa55-42")
    }
}

@Suite struct ValidationTests {
    @Test func eachFaultHasASentence() {
        func sentence(_ change: (inout MQTTConfiguration) -> Void) -> String {
            var configuration = MQTTConfiguration(host: "h", clientID: "c")
            change(&configuration)
            do {
                try configuration.validate()
                return "fine"
            } catch {
                return error.description
            }
        }
        #expect(sentence { _ in } == "fine")
        #expect(sentence { $0.host = "" } == "the broker's host name is empty")
        #expect(sentence { $0.port = 0 } == "port 0 is not between 1 and 65535")
        #expect(sentence { $0.port = 65_536 } == "port 65536 is not between 1 and 65535")
        #expect(sentence { $0.keepAlive = 0 } == "fine")
        #expect(sentence { $0.keepAlive = 4 } == "a keepalive of 4 s is neither 0 nor between 5 and 65535")
        #expect(sentence { $0.password = Secret("p") } == "a password without a user needs MQTT 5")
        #expect(
            sentence { $0.will = MQTTMessage(topic: "a/+", payload: "") }.hasPrefix("'a/+' is no topic to publish on"))
    }
}
