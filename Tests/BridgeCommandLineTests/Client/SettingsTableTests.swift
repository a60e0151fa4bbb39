import Testing

@testable import BridgeCommandLine

@Suite struct SettingsTableTests {
    private static let listing = #"""
        {"accessories":[
          {"accessory":{"id":"hallway","name":"Hallway"},"online":true,"settings":[
            {"id":"eco","kind":"toggle","label":"Eco","enabled":true,"hidden":false},
            {"id":"target_temp","kind":"range","label":"T","min":5,"max":30,"step":0.5,"unit":"°C","enabled":true,"hidden":false},
            {"id":"boost","kind":"range","label":"B","min":0,"max":60,"step":1,"unit":"min","enabled":false,"hidden":true},
            {"id":"mode","kind":"enumeration","label":"M","options":[{"value":"heat","label":"Heat"},{"value":"cool","label":"Cool"}],"enabled":true,"hidden":false},
            {"id":"note","kind":"text","label":"N","max_length":32,"enabled":true,"hidden":false},
            {"id":"pin","kind":"text","label":"P","secret":true,"enabled":true,"hidden":false},
            {"id":"humidity","kind":"information","label":"H","enabled":true,"hidden":false}],
           "values":{"eco":true,"target_temp":21.5,"boost":0,"mode":"heat","note":"two\nlines","pin":null,"humidity":null}},
          {"accessory":{"id":"attic"},"online":false,"settings":[
            {"id":"fan","kind":"range","label":"F","enabled":true,"hidden":false}],"values":{"fan":3}},
          {"accessory":{"id":"new"},"online":false,"settings":[],"values":{}},
          {"accessory":{"id":"bare"},"online":true,"settings":[],"values":{}}
        ]}
        """#

    @Test func `list has a line for each setting: value, what it takes, state`() {
        let text = SettingsTable(AccessoryListing.all(Array(Self.listing.utf8))).text
        #expect(
            text == #"""
                ACCESSORY  SETTING      VALUE         TAKES                          STATE
                hallway    eco          ON            ON, OFF
                hallway    target_temp  21.5          5 to 30 °C in steps of 0.5
                hallway    boost        0             0 to 60 min                    hidden, disabled
                hallway    mode         heat          heat, cool
                hallway    note         'two\nlines'  a text of up to 32 characters
                hallway    pin          -             a text                         secret
                hallway    humidity     -             nothing (read-only)            unreadable
                attic      fan          3             a number                       offline
                new        -            -             -                              offline
                bare       -            -             -                              has no settings

                """#)
    }

    @Test func `columns are as wide as their widest cell, without blanks at the end`() {
        var table = TextTable()
        table.add(["a", "bbb", ""])
        table.add(["cc", "d", "e\u{1B}[31m"])
        #expect(table.text == "a   bbb\ncc  d    e\\u{1B}[31m\n")
        #expect(TextTable().text == "")
    }
}
