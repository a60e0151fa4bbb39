/// What a configured topic must be like, so that the bridge can put levels behind it.
enum TopicRules {
    /// Leaves room for everything that follows within MQTT's 65,535 bytes.
    static let lengthLimit = 1024

    /// What is wrong with the topic, `nil` when nothing is.
    static func fault(in topic: String) -> String? {
        if topic.isEmpty { return "must not be empty" }
        if topic.utf8.count > lengthLimit { return "must not be longer than \(lengthLimit) bytes" }
        if topic.hasPrefix("$") { return "must not begin with $, which is for the broker's own topics" }
        // By bytes: a combining character behind a sign makes another `Character` of it, but not another topic.
        if topic.utf8.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "#") }) {
            return "must not contain the wildcards + and #"
        }
        if let scalar = topic.unicodeScalars.first(where: { $0.isControl || $0.isNoncharacter }) {
            return "must not contain the character \(scalar.codePointName)"
        }
        if topic.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).contains(where: \.isEmpty) {
            return "must not have an empty level (//)"
        }
        return nil
    }

    /// The topic without slashes at its ends.
    static func withoutOuterSlashes(_ topic: String) -> String {
        String(topic.drop { $0 == "/" }.reversed().drop { $0 == "/" }.reversed())
    }

    /// Whether one topic is the other or lies below it.
    static func overlap(_ one: String, _ other: String) -> Bool {
        let (one, other) = (Array((one + "/").utf8), Array((other + "/").utf8))
        return one.starts(with: other) || other.starts(with: one)
    }
}

extension SectionReader {
    /// A topic, `nil` when it is absent or a fault was reported. Slashes at its ends are dropped with a note.
    func topic(_ key: String) -> String? {
        guard let text = string(key) else { return nil }
        let topic = TopicRules.withoutOuterSlashes(text)
        if let problem = TopicRules.fault(in: topic) {
            fault(problem, at: key)
            return nil
        }
        if topic != text { report.warn("\(path(of: key)): '\(text)' is used without its outer slashes: '\(topic)'") }
        return topic
    }
}
