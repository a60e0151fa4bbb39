import Dispatch
import Foundation

/// Ctrl-C, SIGTERM and a terminal that goes away, for a command that would go on for ever.
///
/// To be made outside the main actor: a handler that is written there would have to run there.
final class Interruption {
    private let sources: [any DispatchSourceSignal]

    init(_ stop: @escaping @Sendable () async -> Void) {
        // Who writes to a reader that is gone is told by the result of the write.
        signal(SIGPIPE, SIG_IGN)
        sources = [SIGINT, SIGTERM, SIGHUP].map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { Task { await stop() } }
            source.activate()
            return source
        }
    }

    func cancel() {
        for source in sources { source.cancel() }
    }
}
