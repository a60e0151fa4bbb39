extension SectionReader {
    /// The path of a file of a device, which need not be there; relative to the folder of the configuration, `~/` is the
    /// home folder.
    public func path(_ key: String, required: Bool = false) -> String? {
        string(key, required: required).map(report.resolve)
    }
}
