import AccessorySettings
import Testing

@Suite struct SnapshotTests {
    private func setting(_ id: String, _ value: SettingValue? = nil) -> Setting {
        Setting(SettingDescriptor(id: id, label: id, kind: .toggle()), value: value)
    }

    @Test("A snapshot finds its settings and keeps their order")
    func lookup() {
        let snapshot = Snapshot([setting("b", .toggle(true)), setting("a")])
        #expect(snapshot.settings.map(\.id) == ["b", "a"])
        #expect(snapshot["b"]?.value == .toggle(true))
        #expect(snapshot.position(of: "a") == 1)
        #expect(snapshot["c"] == nil)
        #expect(Snapshot([]).settings.isEmpty)
    }

    @Test("Of several settings with one identifier the first stays")
    func duplicates() {
        let snapshot = Snapshot([setting("a", .toggle(true)), setting("b"), setting("a", .toggle(false))])
        #expect(snapshot.settings.map(\.id) == ["a", "b"])
        #expect(snapshot["a"]?.value == .toggle(true))
    }

    @Test("A snapshot made after another finds the same as one made alone")
    func successor() {
        let first = Snapshot([setting("a"), setting("b")])
        let same = Snapshot([setting("a", .toggle(true)), setting("b")], after: first)
        #expect(same["a"]?.value == .toggle(true))
        #expect(same == Snapshot([setting("a", .toggle(true)), setting("b")]))
        let other = Snapshot([setting("b"), setting("a"), setting("b")], after: first)
        #expect(other.settings.map(\.id) == ["b", "a"])
        #expect(other.position(of: "a") == 1)
        #expect(Snapshot([setting("a")], after: first)["b"] == nil)
    }
}
