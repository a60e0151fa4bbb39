extension SectionReader {
    /// The folder of the configuration, which relative paths in it start at; `nil` where that is the current folder.
    package var folder: String? {
        let folder = report.resolve("")
        return folder.isEmpty ? nil : folder
    }

    /// A path as seen from the folder of the configuration; `~/` is the home folder.
    package func resolved(_ path: String) -> String {
        report.resolve(path)
    }

    /// Reads an object that comes from elsewhere by the rules of the configuration. The environment overrides nothing there.
    ///
    /// - Parameters:
    ///   - json: the object.
    ///   - source: where it comes from, for faults.
    ///   - read: asks for all keys there may be.
    /// - Throws: every fault at once.
    package static func read<Result>(
        _ json: [UInt8], from source: String, _ read: (SectionReader) -> Result
    ) throws(ConfigurationError) -> Result {
        let report = ConfigurationReport(file: source, environment: [:])
        do throws(SyntaxFault) {
            let parsed = try JSON5Parser.parse(json)
            for fault in parsed.duplicateKeys { report.fault(fault.message, path: "", at: fault.position) }
            let reader = SectionReader(parsed.value, path: "", parentPosition: nil, report: report)
            let result = read(reader)
            if !reader.hasFaults { reader.finish() }
            if report.faults.isEmpty { return result }
        } catch {
            report.fault(error.message, path: "", at: error.position)
        }
        throw ConfigurationError(report.faults)
    }
}
