import Foundation
import MQTT
import SettingsBridge
import Synchronization

/// Makes requests to one device: one at a time, with what it needs to know us, and says in a sentence what failed.
final class HTTPCaller: Sendable {
    /// What the device asked us to send along.
    private struct State {
        var challenge: DigestChallenge?
        var session: String?
    }

    private static let redirectLimit = 5

    private let plan: HTTPPlan
    private let client: HTTPClient
    private let line: RequestLine
    private let state = Mutex(State())
    /// What the device is told, and may repeat in what it says.
    private let secrets: KnownSecrets

    init(_ plan: HTTPPlan, line: RequestLine) {
        secrets = KnownSecrets((plan.authentication?.secrets ?? []) + plan.secrets.values.map { $0.reveal { $0 } })
        self.plan = plan
        self.line = line
        client = HTTPClient(plan.origin, tls: plan.tls, limit: plan.limit)
    }

    /// The answer of a device that has carried the request out.
    ///
    /// - Parameter subject: names the request in a fault.
    /// - Throws: ``DeviceError``, or `CancellationError`.
    func answer(to request: HTTPRequest, _ subject: String) async throws -> HTTPAnswer {
        try await line.run {
            do {
                return try await self.exchange(request)
            } catch let failure as HTTPFailure {
                let final =
                    switch failure {
                    case .timedOut: HTTPFailure.timedOut(plan.timeout)
                    default: failure
                    }
                throw DeviceError("\(subject) failed: \(final.reason(redacted))", mayPass: failure.mayPass)
            } catch let refusal as Refusal {
                throw DeviceError("\(subject) failed: \(refusal.reason)", mayPass: refusal.mayPass)
            }
        }
    }

    /// The answer as JSON.
    func document(_ answer: HTTPAnswer, _ subject: String) throws(DeviceError) -> JSONValue {
        if answer.isHTML { throw DeviceError("\(subject) failed: the answer is an HTML page, not JSON") }
        do throws(JSONSyntaxError) {
            return try JSONValue.parse(answer.body)
        } catch {
            throw DeviceError(
                "\(subject) failed: the answer \(redacted(error.reason)); the device sent \(answer.excerpt(redacted))")
        }
    }

    func check(
        _ expectation: HTTPRequest.Expectation?, _ document: JSONValue, _ subject: String
    ) throws(DeviceError) {
        guard let expectation else { return }
        let found = expectation.pointer.value(in: document)
        if let found, expectation.value.map(found.isSame) ?? true { return }
        let text = found.map { $0.summary(redacted) } ?? "nothing"
        let wanted = expectation.value.map { ", not " + String(decoding: $0.jsonBytes, as: UTF8.self) } ?? ""
        throw DeviceError(
            "\(subject) failed: the answer says \(text) at \(expectation.pointer)\(wanted)")
    }

    /// Hides from now on what changes are about to tell settings with `secret`.
    func hide(_ changes: [DeviceChange]) {
        secrets.add(changes, of: plan.accesses.map(\.setting))
    }

    /// What a device said, without the secrets that it may repeat.
    func redacted(_ text: String) -> String { secrets.redaction.hide(text) }

    // MARK: Exchanges

    /// Why a device did not carry out what it was asked.
    private struct Refusal: Error {
        var reason: String
        var mayPass = false
    }

    /// Sends the request, and again where the device asks for a proof, a token or another path.
    private func exchange(_ original: HTTPRequest) async throws -> HTTPAnswer {
        let deadline = ContinuousClock.now.advanced(by: plan.timeout)
        var request = original
        var redirects = 0
        var hasProved = false
        var hasRenewedSession = false
        while true {
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { throw HTTPFailure.timedOut(plan.timeout) }
            let answer = try await client.send(prepare(request), within: left)
            if answer.isSuccess { return answer }
            if let name = plan.sessionField, !hasRenewedSession, let token = answer.values(name).last, !token.isEmpty {
                hasRenewedSession = true
                secrets.add([token])
                state.withLock { $0.session = token }
            } else if answer.status == 401, case .digest = plan.authentication, !hasProved {
                hasProved = true
                guard let challenge = DigestChallenge(answer.values("www-authenticate")) else {
                    throw Refusal(reason: "answered 401 Unauthorized without a digest challenge that can be met")
                }
                state.withLock { $0.challenge = challenge }
            } else if [301, 302, 303, 307, 308].contains(answer.status) {
                redirects += 1
                guard redirects <= Self.redirectLimit else {
                    throw Refusal(reason: "redirected more than \(Self.redirectLimit) times")
                }
                request = try redirected(request, by: answer)
            } else {
                throw refusal(answer)
            }
        }
    }

    private func prepare(_ request: HTTPRequest) -> HTTPMessage {
        var message = request.message([])
        var more: [HTTPAnswer.Field] = []
        let (challenge, session) = state.withLock { state in
            state.challenge?.count += 1
            return (state.challenge, state.session)
        }
        if let value = plan.authentication?.authorization(for: message, challenge: challenge) {
            more.append(HTTPAnswer.Field(name: "Authorization", value: value))
        }
        if let name = plan.sessionField, let session { more.append(HTTPAnswer.Field(name: name, value: session)) }
        message = request.message(more)
        return message
    }

    private func redirected(_ request: HTTPRequest, by answer: HTTPAnswer) throws(Refusal) -> HTTPRequest {
        let refusal = "answered \(answer.statusText): "
        guard let location = answer.values("location").first,
            let base = URL(string: plan.origin.description + request.target),
            let url = URL(string: location, relativeTo: base)?.absoluteURL,
            let place = URLComponents(url: url, resolvingAgainstBaseURL: true)
        else { throw Refusal(reason: refusal + "a redirect to nowhere") }
        var bare = place
        (bare.path, bare.query, bare.fragment, bare.user, bare.password) = ("", nil, nil, nil, nil)
        let origin = bare.string.flatMap { try? HTTPOrigin.parse($0).origin }
        guard origin == plan.origin else {
            throw Refusal(
                reason: refusal
                    + "a redirect to \(redacted(bare.string ?? "elsewhere")), which is not followed")
        }
        guard request.method == "GET" || answer.status == 307 || answer.status == 308 else {
            throw Refusal(
                reason: refusal
                    + "a redirect to \(redacted(place.percentEncodedPath)), which would make a reading of the change"
            )
        }
        var redirected = request
        redirected.target = place.percentEncodedPath + (place.percentEncodedQuery.map { "?" + $0 } ?? "")
        redirected.query = []
        return redirected
    }

    private func refusal(_ answer: HTTPAnswer) -> Refusal {
        if answer.status == 401 {
            let schemes = answer.values("www-authenticate").flatMap(AuthenticationChallenge.parse).map(\.scheme)
            let wanted = schemes.isEmpty ? "" : "; it asks for \(redacted(schemes.joined(separator: " or ")))"
            let reason =
                plan.authentication == nil
                ? "needs authentication ('auth')\(wanted)" : "does not accept 'auth'\(wanted)"
            return Refusal(reason: "answered 401 Unauthorized: the device \(reason)")
        }
        return Refusal(
            reason: "answered \(answer.statusText) with \(answer.excerpt(redacted))",
            mayPass: answer.mayPass)
    }
}

extension JSONValue {
    /// What a fault calls it.
    ///
    /// - Parameter hide: takes out what must not be repeated.
    func summary(_ hide: (String) -> String) -> String {
        switch self {
        case .null: "null"
        case .object: "an object"
        case .array: "a list"
        case .string(let text): hide(text).quotedExcerpt(40)
        case .bool, .integer, .number: hide(text ?? "")
        }
    }
}
