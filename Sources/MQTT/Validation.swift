internal import Glibc

extension MQTTConfiguration {
    /// Finds what cannot work, without connecting: numbers out of range, TLS files that cannot be read or used.
    /// - Throws: `MQTTError.configuration` with a sentence that names the part.
    public func validate() throws(MQTTError) {
        guard !host.isEmpty else { throw .configuration("the broker's host name is empty") }
        guard (1...65_535).contains(port) else { throw .configuration("port \(port) is not between 1 and 65535") }
        guard keepAlive == 0 || (5...65_535).contains(keepAlive) else {
            throw .configuration("a keepalive of \(keepAlive) s is neither 0 nor between 5 and 65535")
        }
        guard user != nil || password == nil || version == .v5 else {
            throw .configuration("a password without a user needs MQTT 5")
        }
        if let will, !will.topic.isPublishable { throw .invalidTopic(will.topic) }
        if let tls { try tls.validate(host: host) }
    }
}

extension TLSConfiguration {
    fileprivate func validate(host: String) throws(MQTTError) {
        for (path, part) in [
            (ca, "trusted certificates (ca)"), (certificate, "certificate (cert)"), (key, "private key (key)"),
        ] {
            guard let path else { continue }
            guard let file = fopen(path, "r") else {
                throw .configuration(
                    "cannot read the file of the \(part) '\(path)': \(String(cString: strerror(errno)))")
            }
            fclose(file)
        }
        guard (certificate == nil) == (key == nil) else {
            throw .configuration("a client certificate needs both its file (cert) and its private key (key)")
        }
        _ = try TLSContext(self, host: host)
    }
}

extension String {
    /// Whether a message may be published on this topic.
    var isPublishable: Bool {
        let bytes = utf8
        return !bytes.isEmpty && bytes.count <= 65_535
            && !bytes.contains { $0 == 0 || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "#") }
    }
}
