import Foundation
import HomeKit
import Testing

@Suite struct AccessoryTests {
    @Test("An accessory says what it was made with, and keeps its room")
    func accessory() {
        let identifier = UUID()
        let accessory = HMAccessory(
            name: "Hallway", uniqueIdentifier: identifier, isBridged: true,
            category: HMAccessoryCategory(HMAccessoryCategoryTypeThermostat),
            room: HMRoom(name: "Hall", uniqueIdentifier: UUID()), manufacturer: "Acme", model: "T1",
            firmwareVersion: "1.4")
        #expect(accessory.name == "Hallway")
        #expect(accessory.uniqueIdentifier == identifier)
        #expect(accessory.isReachable)
        #expect(accessory.isBridged)
        #expect(!accessory.isBlocked)
        #expect(accessory.category.categoryType == HMAccessoryCategoryTypeThermostat)
        #expect(accessory.category.localizedDescription == "Thermostat")
        #expect(accessory.room?.name == "Hall")
        #expect(accessory.manufacturer == "Acme")
        #expect(accessory.model == "T1")
        #expect(accessory.firmwareVersion == "1.4")
        #expect(accessory.matterNodeID == nil)
    }

    @Test("An accessory without a category is of the category other")
    func noCategory() {
        let accessory = HMAccessory(name: "X", uniqueIdentifier: UUID())
        #expect(accessory.category.categoryType == HMAccessoryCategoryTypeOther)
    }

    @Test(
        "A configuration's word finds its category",
        arguments: [
            ("thermostat", HMAccessoryCategoryTypeThermostat),
            ("lightbulb", HMAccessoryCategoryTypeLightbulb),
            ("outlet", HMAccessoryCategoryTypeOutlet),
            ("fan", HMAccessoryCategoryTypeFan),
            ("other", HMAccessoryCategoryTypeOther),
            ("garageDoorOpener", HMAccessoryCategoryTypeGarageDoorOpener),
            ("garagedooropener", HMAccessoryCategoryTypeGarageDoorOpener),
            ("ipCamera", HMAccessoryCategoryTypeIPCamera),
            ("iPCamera", HMAccessoryCategoryTypeIPCamera),
            ("rangeExtender", HMAccessoryCategoryTypeRangeExtender),
        ])
    func words(_ word: String, _ type: String) {
        #expect(HMAccessoryCategory(word: word)?.categoryType == type)
    }

    @Test("Words are distinct, each finds a category, and others find none")
    func allWords() {
        #expect(HMAccessoryCategory.words.count == 33)
        #expect(Set(HMAccessoryCategory.words.map { HMAccessoryCategory(word: $0)?.categoryType }).count == 33)
        #expect(HMAccessoryCategory(word: "toaster") == nil)
        #expect(HMAccessoryCategory(word: "") == nil)
    }

    @Test("Categories are equal when their type is")
    func equality() {
        #expect(HMAccessoryCategory(HMAccessoryCategoryTypeFan) == HMAccessoryCategory(word: "fan"))
        #expect(HMAccessoryCategory(HMAccessoryCategoryTypeFan) != HMAccessoryCategory(word: "door"))
    }
}
