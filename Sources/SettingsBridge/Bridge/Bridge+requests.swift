import AccessorySettings
import MQTT

/// The answers that the bridge itself must give.
extension Bridge {
    func answer(_ request: BridgeRequest) async {
        let verb = request.verb.rawValue
        switch request.verb {
        case .info:
            // A request may come before the connection is all set up.
            let version = link?.version ?? link?.client.negotiatedVersion ?? .v5
            output.respond(to: request.sender, verb, .ok) {
                BridgeInfo.members(configuration, started: startDate, version, in: &$0)
            }
        case .list:
            let sessions = request.session.map { [$0] } ?? sessions.current
            output.respond(to: request.sender, verb, .ok) { data in
                data.key("accessories")
                data.array { for session in sessions { $0.object(session.describe) } }
            }
        case .healthCheck:
            output.respond(to: request.sender, verb, .ok) {
                $0.key("healthy")
                $0.bool(!watchdog.isBlocked && !isStopping && refusals.problems.isEmpty)
                BridgeHealth(self).members(at: .now, in: &$0)
            }
        case .reload:
            let output = output
            await reload(for: "a request") { output.respond(to: request.sender, verb, $0) }
        case .get, .set, .refresh, .logLevel: break
        }
    }
}

extension AccessorySession {
    /// All there is to say of the accessory at the moment.
    fileprivate func describe(in json: inout JSONWriter) {
        let (snapshot, isOnline) = (snapshot, isOnline)
        Descriptors.describe(configuration, snapshot, in: &json)
        json.key("online")
        json.bool(isOnline)
        json.key("values")
        json.object {
            for setting in snapshot?.settings ?? [] {
                $0.key(setting.id)
                $0.value(setting.value)
            }
        }
    }
}

extension BridgeOutput {
    /// Answers a request.
    func respond(
        to sender: Sender, _ verb: String, _ status: ResponseStatus, data: (inout JSONWriter) -> Void = { _ in }
    ) {
        respond(
            to: sender, verb: verb, ResponseStatus.json(status, transaction: sender.transaction, data: data))
    }

    fileprivate func respond(to sender: Sender, _ verb: String, _ result: Result<ReloadReport, ReloadError>) {
        switch result {
        case .success(let report):
            respond(to: sender, verb, .ok) { data in
                for (key, accessories) in [
                    ("added", report.added), ("changed", report.changed), ("removed", report.removed),
                ] {
                    data.key(key)
                    data.array { for id in accessories { $0.string(id) } }
                }
                data.key("reconnects")
                data.bool(report.reconnects)
            }
        case .failure(let error):
            respond(to: sender, verb, .error(message: "nothing was changed: \(error)", error.refusals))
        }
    }
}

extension ReloadError {
    /// One for each fault.
    fileprivate var refusals: [Refusal] {
        switch self {
        case .faults(let error): error.faults.map { Refusal(.invalidConfiguration, $0.description) }
        case .noFile, .brokerUnusable: [Refusal(.invalidConfiguration, description)]
        case .stopping: [Refusal(.stopping, description)]
        }
    }
}
