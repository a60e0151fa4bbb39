/// The words for HomeKit's accessory categories.
public enum AccessoryCategory: String, Sendable, CaseIterable {
    case airConditioner = "air_conditioner"
    case airDehumidifier = "air_dehumidifier"
    case airHeater = "air_heater"
    case airHumidifier = "air_humidifier"
    case airPort = "airport"
    case airPurifier = "air_purifier"
    case audioReceiver = "audio_receiver"
    case bridge
    case door
    case doorLock = "door_lock"
    case fan
    case faucet
    case garageDoorOpener = "garage_door_opener"
    case ipCamera = "ip_camera"
    case lightbulb
    case other
    case outlet
    case programmableSwitch = "programmable_switch"
    case rangeExtender = "range_extender"
    case securitySystem = "security_system"
    case sensor
    case showerHead = "shower_head"
    case speaker
    case sprinkler
    case `switch`
    case television
    case televisionSetTopBox = "television_set_top_box"
    case televisionStreamingStick = "television_streaming_stick"
    case thermostat
    case videoDoorbell = "video_doorbell"
    case window
    case windowCovering = "window_covering"

    /// The value of HomeKit's constant, as in `HMAccessoryCategoryTypeGarageDoorOpener`.
    public var homeKitType: String {
        let name = "\(self)"
        return "HMAccessoryCategoryType"
            + (self == .ipCamera ? "IPCamera" : name.prefix(1).uppercased() + name.dropFirst())
    }
}
