import Foundation
import SettingsBridge
import Synchronization

extension Launch {
    /// What is taken of a command's output.
    static let outputLimit = 1 << 20

    /// Runs the program to its end.
    ///
    /// It is ended with its whole group when its time is up, when it prints too much, and when the task is cancelled.
    ///
    /// - Parameters:
    ///   - input: what it reads from its standard input; without it that is `/dev/null`.
    ///   - secrets: texts that no error may hold.
    /// - Returns: its standard output.
    /// - Throws: ``DeviceError`` unless it ended with exit code 0 in time. The sentence has the end of its standard error.
    func run(
        input: [UInt8]? = nil, timeout: Duration? = nil, hiding secrets: KnownSecrets = KnownSecrets()
    ) async throws -> [UInt8] {
        let collected = Collected()
        let (endings, continuation) = AsyncStream.makeStream(of: Child.Ending.self)
        try Task.checkCancellation()
        let child = try Child(
            self, hasInput: input != nil,
            handlers: Child.Handlers(
                output: { collected.takeOutput($0) }, errors: { collected.takeErrors($0) },
                ended: { ending in
                    continuation.yield(ending)
                    continuation.finish()
                }))
        collected.endsChild { child.terminate() }
        // The child holds what collects its output: also a cancelled run must let go of it.
        defer { collected.releaseChild() }
        if let input {
            child.input?.write(input)
            child.input?.end()
        }
        let alarm = timeout.map { timeout in
            Task {
                try await Task.sleep(for: timeout)
                collected.giveUp("\(name) did not end within \(timeout.text)", mayPass: true)
            }
        }
        defer { alarm?.cancel() }
        let ending = await withTaskCancellationHandler {
            // Not the caller's task, whose cancellation would end the waiting before the child has ended.
            await Task { await endings.first { _ in true } }.value
        } onCancel: {
            child.terminate()
        }
        try Task.checkCancellation()
        return try collected.output(of: name, ending, hiding: secrets.redaction)
    }
}

/// What a command has printed so far.
private final class Collected: Sendable {
    private struct State {
        var output: [UInt8] = []
        var errors = ErrorExcerpt()
        /// Why it was ended before its time.
        var problem: DeviceError?
        var endChild: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    func takeOutput(_ bytes: UnsafeRawBufferPointer) {
        let isTooLong = state.withLock { state in
            guard state.output.count + bytes.count <= Launch.outputLimit else { return true }
            state.output += bytes
            return false
        }
        if isTooLong { giveUp("it printed more than 1 MB") }
    }

    func takeErrors(_ bytes: UnsafeRawBufferPointer) {
        state.withLock { $0.errors.append(bytes) }
    }

    /// - Parameter body: ends the child.
    func endsChild(_ body: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            state.endChild = body
            return state.problem != nil
        }
        if isLate { body() }
    }

    func giveUp(_ reason: String, mayPass: Bool = false) {
        let endChild = state.withLock { state in
            if state.problem == nil { state.problem = DeviceError(reason, mayPass: mayPass) }
            return state.endChild
        }
        endChild?()
    }

    func releaseChild() {
        state.withLock { $0.endChild = nil }
    }

    func output(of name: String, _ ending: Child.Ending?, hiding secrets: Redaction) throws(DeviceError) -> [UInt8] {
        try state.withLock { state throws(DeviceError) in
            let errors = state.errors.sentence(hiding: secrets).map { ": \($0)" } ?? ""
            if let problem = state.problem {
                throw DeviceError(problem.description + errors, mayPass: problem.mayPass)
            }
            guard let ending, ending == .exitCode(0) else {
                throw DeviceError("\(name) \(ending ?? .unknown)\(errors)")
            }
            return state.output
        }
    }
}
