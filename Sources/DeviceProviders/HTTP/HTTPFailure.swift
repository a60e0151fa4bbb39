import SettingsBridge

/// Why a request got no answer, or none that can be used.
enum HTTPFailure: Error, Equatable {
    /// The host has no address; the resolver's reason.
    case unknownHost(String)
    /// The system's reason, such as "Connection refused".
    case unreachable(String)
    case timedOut(Duration)
    /// Closed, with or without a part of the answer.
    case closed(afterBytes: Int)
    case broken(String)
    /// What came does not begin as HTTP does: its first line, up to 1,000 characters of it.
    case notHTTP(String)
    /// What came is not HTTP as it should be.
    case malformed(String)
    case tooLarge(limit: Int)
    case certificate(String)

    /// Continues "GET http://… failed: ".
    ///
    /// - Parameter hide: takes out of what the device said what must not be repeated.
    func reason(_ hide: (String) -> String) -> String {
        switch self {
        case .unknownHost(let reason): "the host's address can't be found: \(reason)"
        case .unreachable(let reason): "the device can't be reached: \(reason)"
        case .timedOut(let limit): "no answer within \(limit.text)"
        case .closed(afterBytes: 0): "the device closed the connection without an answer"
        case .closed(let count): "the device closed the connection in the middle of its answer, after \(count) bytes"
        case .broken(let reason): "the connection broke: \(reason)"
        case .notHTTP(let line): "the answer is no HTTP: it begins with \(hide(line).quotedExcerpt(40))"
        case .malformed(let reason): "the answer is no proper HTTP: \(hide(reason))"
        case .tooLarge(let limit): "the answer is larger than the limit of \(limit) bytes"
        case .certificate(let reason): "the device's certificate is not accepted: \(reason)"
        }
    }

    /// Whether the next try may succeed.
    var mayPass: Bool {
        switch self {
        case .unknownHost, .unreachable, .timedOut, .closed, .broken: true
        case .notHTTP, .malformed, .tooLarge, .certificate: false
        }
    }
}
