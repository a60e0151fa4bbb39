import AccessorySettings
import Testing

@testable import SettingsBridge

@Suite struct PendingChangesTests {
    private let start = ContinuousClock.now

    private func request(_ values: [String: Double], after delay: Duration = .zero, _ mark: Int64 = 0) -> SetRequest {
        SetRequest(
            changes: values.sorted { $0.key < $1.key }.map {
                Setting(
                    SettingDescriptor(id: $0.key, label: $0.key, kind: .range(RangeDescriptor())),
                    value: .number($0.value))
            },
            sender: Sender(transaction: .integer(mark)), receivedAt: start.advanced(by: delay))
    }

    private func values(_ changes: [Setting]) -> [String: SettingValue?] {
        Dictionary(uniqueKeysWithValues: changes.map { ($0.id, $0.value) })
    }

    @Test func theNewestValueOfASettingWins() {
        var pending = PendingChanges()
        #expect(pending.add(request(["a": 1])).isEmpty)
        let superseded = pending.add(request(["a": 2], 1))
        #expect(superseded.map(\.sender.transaction) == [.integer(0)])
        let (changes, requests) = pending.takeAll(orderedBy: nil)
        #expect(values(changes) == ["a": .number(2)])
        #expect(requests.map(\.sender.transaction) == [.integer(1)])
        #expect(pending.isEmpty)
    }

    @Test func aRequestOvertakenInPartIsStillCarriedOut() {
        var pending = PendingChanges()
        _ = pending.add(request(["a": 1, "b": 1]))
        #expect(pending.add(request(["a": 2], 1)).isEmpty)
        #expect(pending.add(request(["b": 2], 2)).map(\.sender.transaction) == [.integer(0)])
        #expect(values(pending.takeAll(orderedBy: nil).changes) == ["a": .number(2), "b": .number(2)])
    }

    @Test func whatIsTakenOutForItsAgeIsNotWritten() {
        var pending = PendingChanges()
        _ = pending.add(request(["a": 1, "b": 1]))
        _ = pending.add(request(["b": 2], after: .seconds(5), 1))
        #expect(
            pending.takeReceived(before: start.advanced(by: .seconds(1))).map(\.sender.transaction) == [.integer(0)])
        #expect(values(pending.takeAll(orderedBy: nil).changes) == ["b": .number(2)])
    }

    @Test func aFloodStaysAsSmallAsTheNumberOfSettings() {
        var pending = PendingChanges()
        var superseded = 0
        for number in 0..<10_000 { superseded += pending.add(request(["s\(number % 3)": Double(number)])).count }
        #expect(superseded == 9_997)
        #expect(pending.takeAll(orderedBy: nil).requests.count == 3)
    }
}
