import Foundation
import Synchronization

/// Keeps what goes to another sink within limits, see ``LogLimiter``.
public final class LimitedLogSink: LogSink {
    private struct State {
        var limiter = LogLimiter()
        /// Wakes when something is to be told though no further line comes.
        var timer: Task<Void, Never>?
    }

    private let sink: any LogSink
    private let state = Mutex(State())

    public init(_ sink: any LogSink) {
        self.sink = sink
    }

    public func write(_ entry: LogEntry) {
        guard !entry.isItem else { return sink.write(entry) }
        let entries = state.withLock { state in
            let entries = state.limiter.take(entry, at: .now)
            schedule(&state)
            return entries
        }
        // Not under the lock: what the sink does is its own affair.
        for entry in entries { sink.write(entry) }
    }

    /// Tells what was left out so far: before the end.
    public func finish() {
        for entry in state.withLock({ $0.limiter.takeAll(time: Date()) }) { sink.write(entry) }
    }

    private func schedule(_ state: inout State) {
        guard state.timer == nil, let due = state.limiter.due else { return }
        state.timer = Task { [weak self] in
            try? await Task.sleep(until: due, tolerance: .milliseconds(100), clock: .continuous)
            self?.wake()
        }
    }

    private func wake() {
        let entries = state.withLock { state in
            let entries = state.limiter.takeDue(at: .now, time: Date())
            state.timer = nil
            schedule(&state)
            return entries
        }
        for entry in entries { sink.write(entry) }
    }
}
