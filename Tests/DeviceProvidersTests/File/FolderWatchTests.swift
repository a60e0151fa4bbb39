import Synchronization
import TestSupport
import Testing

@testable import DeviceProviders

@Suite("Watching folders") struct FolderWatchTests {
    private final class Counter: Sendable {
        let count = Atomic(0)
    }

    @Test func whatHappensIsTold_AndWhatFollowsAgain() async throws {
        try await withFolder { folder in
            let counter = Counter()
            let watch = try #require(FolderWatch(pause: .milliseconds(5)) { counter.count.add(1, ordering: .relaxed) })
            watch.watch(folder)
            for round in 1...3 {
                try put("\(round)", folder + "/x")
                try await waitUntil("the event of round \(round)") { counter.count.load(ordering: .relaxed) >= round }
            }
        }
    }

    @Test func aWatchEndsAtOnce_AlsoWhileSomethingHappens() async throws {
        try await withFolder { folder in
            for round in 0..<100 {
                weak var seen: Counter?
                do {
                    let counter = Counter()
                    let watch = try #require(FolderWatch(pause: .zero) { counter.count.add(1, ordering: .relaxed) })
                    seen = counter
                    watch.watch(folder)
                    try put("\(round)", folder + "/x")
                }
                // Its thread lets go of what it would call.
                try await waitUntil("the end of watch \(round)") { seen == nil }
            }
        }
    }
}
