/// Units as Home Assistant spells them, and the device class that goes with them where there can be only one.
enum DiscoveryUnits {
    /// - Returns: the unit to announce; a device class only where the unit leaves no doubt about it. A unit that
    ///   Home Assistant does not know is announced as it is.
    static func unit(_ text: String?) -> (unit: String, deviceClass: String?)? {
        guard let text, !text.isEmpty else { return nil }
        if let spelling = temperatures[text.lowercased()] { return (spelling, "temperature") }
        return (text, classes[text])
    }

    private static let temperatures = [
        "°c": "°C", "c": "°C", "degc": "°C", "celsius": "°C", "°f": "°F", "f": "°F", "degf": "°F", "fahrenheit": "°F",
        "k": "K", "kelvin": "K",
    ]

    private static let classes = [
        "d": "duration", "h": "duration", "min": "duration", "s": "duration", "ms": "duration",
        "W": "power", "kW": "power", "Wh": "energy", "kWh": "energy", "V": "voltage", "mV": "voltage",
        "A": "current", "mA": "current", "Hz": "frequency", "kHz": "frequency",
        "Pa": "pressure", "hPa": "pressure", "kPa": "pressure", "bar": "pressure", "mbar": "pressure",
        "psi": "pressure", "lx": "illuminance",
    ]
}
