import Foundation

/// Where a device listens.
struct HTTPOrigin: Sendable, Hashable, CustomStringConvertible {
    var isTLS: Bool
    /// A name or an address, without brackets.
    var host: String
    var port: Int

    /// `192.168.1.20`, `[::1]:8080`: as it stands in an address.
    var authority: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == (isTLS ? 443 : 80) ? name : "\(name):\(port)"
    }

    var description: String { "\(isTLS ? "https" : "http")://\(authority)" }
}

extension HTTPOrigin {
    /// What is wrong with the text of an address. The text is not repeated: it may hold a password.
    struct Problem: Error {
        var message: String
    }

    /// Reads `http://host:port/path`.
    ///
    /// - Returns: where the device listens, and the path without a slash at its end.
    static func parse(_ text: String) throws(Problem) -> (origin: HTTPOrigin, path: String) {
        let form = "must be an address such as http://192.168.1.20 or https://host:8443/path"
        guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased() else {
            throw Problem(message: form)
        }
        guard scheme == "http" || scheme == "https" else {
            throw Problem(message: "must begin with http:// or https://")
        }
        guard parts.user == nil, parts.password == nil else {
            throw Problem(message: "must not contain a user or a password; they belong to 'auth'")
        }
        guard parts.query == nil, parts.fragment == nil else {
            throw Problem(message: "must not contain ? or #; a query belongs to the requests")
        }
        guard var host = parts.host, !host.isEmpty else { throw Problem(message: form) }
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        let port = parts.port ?? (scheme == "https" ? 443 : 80)
        guard (1...65_535).contains(port) else { throw Problem(message: "the port must be a number from 1 to 65535") }
        var path = parts.percentEncodedPath
        while path.hasSuffix("/") { path.removeLast() }
        return (HTTPOrigin(isTLS: scheme == "https", host: host, port: port), path)
    }
}
