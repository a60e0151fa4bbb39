import AccessorySettings
import Foundation
import Testing

@Suite struct LabelTests {
    @Test("A text is shown as it was written, whatever its form")
    func texts() {
        let zone = 3
        let name: LocalizedStringResource = "Bath"
        #expect(String(localized: "Eco" as LocalizedStringResource) == "Eco")
        #expect(String(localized: LocalizedStringResource("Zone \(zone)")) == "Zone 3")
        #expect(String(localized: LocalizedStringResource("Fan of \(name)")) == "Fan of Bath")
        #expect(String(localized: LocalizedStringResource("\(21.456, specifier: "%.1f") °C")) == "21.5 °C")
        #expect(String(localized: LocalizedStringResource("at \(5, format: .number)")) == "at 5")
        #expect(
            String(localized: LocalizedStringResource("eco.title", defaultValue: "Eco \(zone)", comment: "A title"))
                == "Eco 3")
        #expect(String(localized: LocalizedStringResource("Eco", table: "Titles", comment: "A title")) == "Eco")
        #expect(String(localized: "Zone \(zone)", comment: "A zone") == "Zone 3")
        #expect(String(localized: "Eco") == "Eco")
    }

    @Test("Texts are equal when they say the same and are found at the same place")
    func equality() {
        let zone = 3
        #expect("Eco" as LocalizedStringResource == LocalizedStringResource("Eco"))
        #expect(LocalizedStringResource("Zone \(zone)") == "Zone 3")
        #expect(LocalizedStringResource("Eco", table: "A") != "Eco")
        #expect(LocalizedStringResource("Eco", table: "A") == LocalizedStringResource("Eco", table: "A"))
        #expect(LocalizedStringResource("k", defaultValue: "Eco") != "Eco")
        #expect(Set<LocalizedStringResource>(["Eco", LocalizedStringResource("Eco"), "Boost"]).count == 2)
    }

    @Test("A text keeps what names it in a catalog")
    func catalog() {
        var text = LocalizedStringResource(
            "eco.title", defaultValue: "Eco", table: "Titles", locale: Locale(identifier: "de"))
        #expect(text.key == "eco.title")
        #expect(text.defaultValue == "Eco")
        #expect(text.table == "Titles")
        #expect(text.locale == Locale(identifier: "de"))
        #expect(text.bundle == .main)
        text.locale = Locale(identifier: "fr")
        #expect(text.locale == Locale(identifier: "fr"))
        #expect(text.key == "eco.title")
        #expect(LocalizedStringResource("Eco").key == "Eco")
        #expect(LocalizedStringResource("Eco").locale == .current)
    }

    @Test("A literal makes a label without a longer text")
    func labels() {
        let label = HomeAccessorySettingLabel("Eco", detailedLabel: "Saves energy", systemImage: "leaf")
        #expect(label.label == "Eco")
        #expect(label.detailedLabel == "Saves energy")
        let toggle = HomeAccessoryToggleSetting(id: "eco", label: label)
        #expect(toggle.setting.descriptor.detail == "Saves energy")
        toggle.label = "New"
        #expect(toggle.setting.descriptor.label == "New")
        #expect(toggle.setting.descriptor.detail == nil)
    }

    @Test("An identifier of a content is its text")
    func contentID() {
        #expect(HomeContentID("setup") == "setup")
        #expect(HomeContentID(rawValue: "setup").description == "setup")
    }
}
