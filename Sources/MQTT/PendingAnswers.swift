/// Subscribe and unsubscribe requests that wait for the broker's answer.
struct PendingAnswers {
    typealias Answer = Result<Void, MQTTError>

    private struct Request {
        /// The filters not answered yet, by message id.
        var open: [Int32: String]
        var firstRefusal: MQTTError?
        let action: String
        let deadline: ContinuousClock.Instant
        let limit: Duration
        let answer: (Answer) -> Void
    }

    private var requests: [Request] = []

    var nextDeadline: ContinuousClock.Instant? { requests.lazy.map(\.deadline).min() }

    /// - Parameter answer: called once: when every message id is answered, when time is up or the connection has ended.
    mutating func add(
        _ open: [Int32: String], action: String, limit: Duration, now: ContinuousClock.Instant,
        answer: @escaping (Answer) -> Void
    ) {
        requests.append(Request(open: open, action: action, deadline: now + limit, limit: limit, answer: answer))
    }

    mutating func answered(_ messageID: Int32, refusal: MQTTReasonCode? = nil) {
        guard let index = requests.firstIndex(where: { $0.open[messageID] != nil }),
            let filter = requests[index].open.removeValue(forKey: messageID)
        else { return }
        if let refusal, requests[index].firstRefusal == nil {
            requests[index].firstRefusal = .subscriptionRefused(filter: filter, reason: refusal)
        }
        guard requests[index].open.isEmpty else { return }
        let request = requests.remove(at: index)
        request.answer(request.firstRefusal.map { .failure($0) } ?? .success(()))
    }

    mutating func expire(now: ContinuousClock.Instant) {
        for request in requests where request.deadline <= now {
            request.answer(.failure(.noAnswer(doing: request.action, limit: request.limit)))
        }
        requests.removeAll { $0.deadline <= now }
    }

    mutating func failAll() {
        for request in requests { request.answer(.failure(.notConnected(doing: request.action))) }
        requests = []
    }
}

/// Callers of `flush` that wait for the last acknowledgement.
struct FlushWaiters {
    private var waiters: [(deadline: ContinuousClock.Instant, done: (Bool) -> Void)] = []

    var nextDeadline: ContinuousClock.Instant? { waiters.lazy.map(\.deadline).min() }

    mutating func add(until deadline: ContinuousClock.Instant, done: @escaping (Bool) -> Void) {
        waiters.append((deadline, done))
    }

    mutating func finish(_ everythingAcknowledged: Bool) {
        for waiter in waiters { waiter.done(everythingAcknowledged) }
        waiters = []
    }

    mutating func expire(now: ContinuousClock.Instant) {
        for waiter in waiters where waiter.deadline <= now { waiter.done(false) }
        waiters.removeAll { $0.deadline <= now }
    }
}
