import AccessorySettings
import SettingsBridge
import Synchronization

/// A device that speaks JSON over HTTP.
final class HTTPDevice: DeviceConnection {
    private let plan: HTTPPlan
    private let caller: HTTPCaller

    init(_ plan: HTTPPlan, line: RequestLine) {
        self.plan = plan
        caller = HTTPCaller(plan, line: line)
    }

    @concurrent func read() async throws -> [String: JSONValue] {
        var values: [String: JSONValue] = [:]
        for read in plan.reads {
            let accesses = plan.accesses.filter { $0.place?.from == read.name }
            guard !accesses.isEmpty else { continue }
            let request = try read.request.filled(TemplateValues(secrets: plan.secrets))
            let subject = "\(request.title) (\(read.name))"
            let document = try caller.document(try await caller.answer(to: request, subject), subject)
            try caller.check(request.expectation, document, subject)
            for access in accesses {
                guard let place = access.place else { continue }
                values[access.setting.id] = try value(of: access, at: place, in: document, subject)
            }
        }
        return values
    }

    private func value(
        of access: HTTPPlan.Access, at place: HTTPPlan.Place, in document: JSONValue, _ subject: String
    ) throws(DeviceError) -> JSONValue? {
        let setting = access.setting
        guard let value = place.pointer.value(in: document) else {
            if place.isOptional || setting.defaultValue != nil { return nil }
            throw DeviceError("\(subject) failed: the answer has no \(place.pointer), where \(setting.id) is read")
        }
        guard value == .null || place.isOptional || setting.mapping.value(value, of: setting) != nil else {
            throw DeviceError(
                "\(subject) failed: \(place.pointer) is \(value.summary(caller.redacted)), no value of \(setting.id)"
            )
        }
        return value
    }

    @concurrent func write(_ changes: [DeviceChange]) async throws -> [String: DeviceError] {
        caller.hide(changes)
        var outcome = WriteOutcome()
        var requests: [(request: HTTPRequest, settings: [String])] = []
        for change in changes {
            guard let access = plan.accesses.first(where: { $0.setting.id == change.setting }),
                let template = access.write
            else { continue }
            let request: HTTPRequest
            do throws(DeviceError) {
                request = try template.filled(TemplateValues(value: change.value, secrets: plan.secrets))
            } catch {
                outcome.fail([change.setting], error)
                continue
            }
            let place = plan.joinsWrites ? requests.firstIndex { $0.request.joined(with: request) != nil } : nil
            if let place, let joined = requests[place].request.joined(with: request) {
                requests[place] = (joined, requests[place].settings + [change.setting])
            } else {
                requests.append((request, [change.setting]))
            }
        }
        for (request, settings) in requests {
            let subject = "\(request.title) (\(settings.joined(separator: ", ")))"
            try await outcome.step(of: settings) {
                let answer = try await caller.answer(to: request, subject)
                guard request.expectation != nil else { return }
                try caller.check(request.expectation, try caller.document(answer, subject), subject)
            }
        }
        return outcome.failures
    }
}
