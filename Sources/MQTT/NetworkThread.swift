internal import CMosquitto
internal import Foundation
internal import Glibc
internal import Synchronization

/// How an attempt to connect, or the connection that came of it, ended.
struct AttemptEnd: Sendable {
    let failure: MQTTConnectionFailure
    /// How long the connection lived; nil if the broker never accepted it.
    let connectedFor: Duration?
}

/// The thread of one attempt: connects, which may block for minutes, and then serves the connection until it ends.
struct NetworkThread: Sendable {
    let configuration: MQTTConfiguration
    let version: MQTTProtocolVersion
    let limits: MQTTClient.Limits
    let inbox: Inbox<MQTTEvent>
    let record: ClientRecord
    let waker: Waker
    let onMessage: MQTTClient.MessageHandler?
    /// Where the session is for others to use, from the end of the connect call to the end of the connection.
    let session: SharedSession
    let isStopping: @Sendable () -> Bool
    /// Whether to end without a goodbye.
    let keepsWill: @Sendable () -> Bool
    /// Called when the connect call has returned; false if nobody waits for this attempt any more.
    let mayGoOn: @Sendable () -> Bool

    /// - Parameter ended: called when the handle is destroyed; with nil if the attempt was stopped.
    func start(ended: @escaping @Sendable (AttemptEnd?) -> Void) {
        let thread = Thread { ended(run()) }
        thread.name = "MQTT"
        thread.stackSize = 512 * 1024
        thread.start()
    }

    private func run() -> AttemptEnd? {
        let session: Session
        do throws(MQTTError) {
            session = try Session(
                configuration, version: version, inbox: inbox, record: record, publishLimit: limits.publishes,
                collectsMessages: onMessage != nil)
        } catch {
            return AttemptEnd(failure: MQTTConnectionFailure(.configuration, error.description), connectedFor: nil)
        }
        if let failure = session.connect() { return AttemptEnd(failure: failure, connectedFor: nil) }
        let socket = session.socket
        guard mayGoOn() else {
            // CONNECT is under way, and the will with it.
            _ = session.sayGoodbye()
            return nil
        }
        self.session.value.withLock { $0 = session }
        let end = serve(socket)
        self.session.value.withLock { shared in
            shared?.end()
            shared = nil
        }
        return end
    }

    /// Serves the connection until it ends by itself, or `isStopping` (nil).
    private func serve(_ socket: CInt) -> AttemptEnd? {
        let start = ContinuousClock.now
        var connectedAt: ContinuousClock.Instant?
        var interest = Session.Interest(wantsWrite: true, deadline: nil)
        var mayRead = true
        while !isStopping() {
            let events = wait(for: socket, interest, mayRead: mayRead)
            let now = ContinuousClock.now
            let (step, isConnected, messages) = session.value.withLock { session in
                let step = session?.step(
                    readable: events & POLLIN != 0, hungUp: events & (POLLHUP | POLLERR) != 0, mayRead: mayRead,
                    now: now)
                return (step, session?.connection != nil, session?.takeCollected() ?? [])
            }
            if events & POLLIN != 0 { Self.acknowledgeQuickly(socket) }
            mayRead = inbox.wakeConsumer()
            // Without the lock: the handler may publish.
            for message in messages { onMessage?(message, version) }
            if isConnected, connectedAt == nil { connectedAt = now }
            switch step {
            case .goOn(let next):
                interest = next
            case .ended(let failure):
                return AttemptEnd(failure: failure, connectedFor: connectedAt.map { now - $0 })
            case nil:
                return nil
            }
            if connectedAt == nil, now - start >= limits.connectAnswer {
                return AttemptEnd(
                    failure: .noAnswer(within: limits.connectAnswer, from: configuration), connectedFor: nil)
            }
        }
        if !keepsWill() { sayGoodbye(socket) }
        return nil
    }

    /// Waits until the socket is ready, the waker wakes, something times out, or a second has passed (the library counts
    /// the keepalive in seconds).
    /// - Returns: what `poll` found at the socket.
    private func wait(for socket: CInt, _ interest: Session.Interest, mayRead: Bool) -> CInt {
        var timeout: CInt = 1_000
        if let deadline = interest.deadline {
            let left = (deadline - .now) / .milliseconds(1)
            timeout = CInt(max(0, min(left.rounded(.up), 1_000)))
        }
        var wanted = mayRead ? CInt(POLLIN) : 0
        if interest.wantsWrite { wanted |= CInt(POLLOUT) }
        var descriptors = [
            // Without anything wanted a hung-up socket would end every wait at once.
            pollfd(fd: wanted == 0 ? -1 : socket, events: Int16(wanted), revents: 0),
            pollfd(fd: waker.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&descriptors, 2, timeout) > 0 else { return 0 }
        if descriptors[1].revents != 0 { waker.drain() }
        return CInt(descriptors[0].revents)
    }

    /// A broker that leaves Nagle's algorithm on waits for our acknowledgement before it sends the next small packet, and
    /// the kernel would delay that by 40 ms. The option holds for a while only, hence after every read.
    private static func acknowledgeQuickly(_ socket: CInt) {
        var on: CInt = 1
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_QUICKACK, &on, socklen_t(MemoryLayout<CInt>.size))
    }

    /// Sends DISCONNECT and waits until the broker has closed the connection: closing it here, with unread messages, would
    /// reset it, and the broker might see the reset first and publish the will.
    private func sayGoodbye(_ socket: CInt) {
        let deadline = ContinuousClock.now + limits.goodbye
        // The library closes its descriptor as soon as DISCONNECT is written.
        let connection = dup(socket)
        defer { close(connection) }
        while true {
            let (isSaid, isConnected) = session.value.withLock { session in
                (session?.sayGoodbye() ?? true, session?.connection != nil)
            }
            if isSaid {
                guard isConnected else { return }
                break
            }
            guard wait(until: deadline, connection, CInt(POLLOUT)) else { return }
        }
        shutdown(connection, CInt(SHUT_WR))
        var bytes = [UInt8](repeating: 0, count: 16_384)
        while wait(until: deadline, connection, CInt(POLLIN)), recv(connection, &bytes, bytes.count, 0) > 0 {}
    }

    private func wait(until deadline: ContinuousClock.Instant, _ descriptor: CInt, _ events: CInt) -> Bool {
        let left = (deadline - .now) / .milliseconds(1)
        var descriptors = [pollfd(fd: descriptor, events: Int16(events), revents: 0)]
        return left > 0 && poll(&descriptors, 1, CInt(left.rounded(.up))) > 0
    }
}

/// The session in use, if any. See `Session` for why a lock is all it takes.
final class SharedSession: Sendable {
    let value = Mutex<Session?>(nil)
}
