import Synchronization

/// Where requests to one device wait until it is their turn: small devices answer one at a time.
final class RequestLine: Sendable {
    private struct State {
        var isBusy = false
        var nextTicket = 0
        var waiting: [(ticket: Int, turn: CheckedContinuation<Void, any Error>)] = []
    }

    private let state = Mutex(State())

    /// Runs the operation when those before it are done.
    ///
    /// - Throws: `CancellationError` when the task is cancelled while it waits, or what the operation throws.
    func run<Result: Sendable>(_ operation: () async throws -> Result) async throws -> Result {
        try await enter()
        defer { leave() }
        return try await operation()
    }

    private func enter() async throws {
        let ticket = state.withLock { state in
            state.nextTicket += 1
            return state.nextTicket
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isOurTurn = state.withLock { state in
                    // Cancelled before it stood in line, it would stand there for ever.
                    if Task.isCancelled { return Bool?.none }
                    if state.isBusy {
                        state.waiting.append((ticket, continuation))
                        return false
                    }
                    state.isBusy = true
                    return true
                }
                switch isOurTurn {
                case true?: continuation.resume()
                case false?: break
                case nil: continuation.resume(throwing: CancellationError())
                }
            }
        } onCancel: {
            let turn = state.withLock { state in
                state.waiting.firstIndex { $0.ticket == ticket }.map { state.waiting.remove(at: $0).turn }
            }
            turn?.resume(throwing: CancellationError())
        }
    }

    private func leave() {
        let turn = state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isBusy = false
                return CheckedContinuation<Void, any Error>?.none
            }
            return state.waiting.removeFirst().turn
        }
        turn?.resume()
    }
}

/// The line of each device, for all accessories that are parts of it.
final class RequestLines: Sendable {
    private let lines = Mutex<[HTTPOrigin: RequestLine]>([:])

    func line(to origin: HTTPOrigin) -> RequestLine {
        lines.withLock { lines in
            if let line = lines[origin] { return line }
            let line = RequestLine()
            lines[origin] = line
            return line
        }
    }
}
