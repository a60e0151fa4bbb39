// swift-format-ignore-file: AlwaysUseLowerCamelCase

// The constants of HomeKit's accessory categories. Their values are opaque; here each is its own name, which is Apple's.

public let HMAccessoryCategoryTypeOther = "HMAccessoryCategoryTypeOther"
public let HMAccessoryCategoryTypeSecuritySystem = "HMAccessoryCategoryTypeSecuritySystem"
public let HMAccessoryCategoryTypeBridge = "HMAccessoryCategoryTypeBridge"
public let HMAccessoryCategoryTypeDoor = "HMAccessoryCategoryTypeDoor"
public let HMAccessoryCategoryTypeDoorLock = "HMAccessoryCategoryTypeDoorLock"
public let HMAccessoryCategoryTypeFan = "HMAccessoryCategoryTypeFan"
public let HMAccessoryCategoryTypeGarageDoorOpener = "HMAccessoryCategoryTypeGarageDoorOpener"
public let HMAccessoryCategoryTypeIPCamera = "HMAccessoryCategoryTypeIPCamera"
public let HMAccessoryCategoryTypeLightbulb = "HMAccessoryCategoryTypeLightbulb"
public let HMAccessoryCategoryTypeOutlet = "HMAccessoryCategoryTypeOutlet"
public let HMAccessoryCategoryTypeProgrammableSwitch = "HMAccessoryCategoryTypeProgrammableSwitch"
public let HMAccessoryCategoryTypeRangeExtender = "HMAccessoryCategoryTypeRangeExtender"
public let HMAccessoryCategoryTypeSensor = "HMAccessoryCategoryTypeSensor"
public let HMAccessoryCategoryTypeSwitch = "HMAccessoryCategoryTypeSwitch"
public let HMAccessoryCategoryTypeThermostat = "HMAccessoryCategoryTypeThermostat"
public let HMAccessoryCategoryTypeVideoDoorbell = "HMAccessoryCategoryTypeVideoDoorbell"
public let HMAccessoryCategoryTypeWindow = "HMAccessoryCategoryTypeWindow"
public let HMAccessoryCategoryTypeWindowCovering = "HMAccessoryCategoryTypeWindowCovering"
public let HMAccessoryCategoryTypeAirPurifier = "HMAccessoryCategoryTypeAirPurifier"
public let HMAccessoryCategoryTypeAirHeater = "HMAccessoryCategoryTypeAirHeater"
public let HMAccessoryCategoryTypeAirConditioner = "HMAccessoryCategoryTypeAirConditioner"
public let HMAccessoryCategoryTypeAirHumidifier = "HMAccessoryCategoryTypeAirHumidifier"
public let HMAccessoryCategoryTypeAirDehumidifier = "HMAccessoryCategoryTypeAirDehumidifier"
public let HMAccessoryCategoryTypeSprinkler = "HMAccessoryCategoryTypeSprinkler"
public let HMAccessoryCategoryTypeFaucet = "HMAccessoryCategoryTypeFaucet"
public let HMAccessoryCategoryTypeShowerHead = "HMAccessoryCategoryTypeShowerHead"
public let HMAccessoryCategoryTypeTelevision = "HMAccessoryCategoryTypeTelevision"
public let HMAccessoryCategoryTypeTelevisionSetTopBox = "HMAccessoryCategoryTypeTelevisionSetTopBox"
public let HMAccessoryCategoryTypeTelevisionStreamingStick = "HMAccessoryCategoryTypeTelevisionStreamingStick"
public let HMAccessoryCategoryTypeWiFiRouter = "HMAccessoryCategoryTypeWiFiRouter"
public let HMAccessoryCategoryTypeSpeaker = "HMAccessoryCategoryTypeSpeaker"
public let HMAccessoryCategoryTypeAudioReceiver = "HMAccessoryCategoryTypeAudioReceiver"
public let HMAccessoryCategoryTypeAirPort = "HMAccessoryCategoryTypeAirPort"

extension HMAccessoryCategory {
    /// The well-known categories: the constant, the configuration's word for it, and a description.
    static let entries: [(type: String, word: String, description: String)] = [
        (HMAccessoryCategoryTypeOther, "other", "Other"),
        (HMAccessoryCategoryTypeSecuritySystem, "securitySystem", "Security System"),
        (HMAccessoryCategoryTypeBridge, "bridge", "Bridge"),
        (HMAccessoryCategoryTypeDoor, "door", "Door"),
        (HMAccessoryCategoryTypeDoorLock, "doorLock", "Door Lock"),
        (HMAccessoryCategoryTypeFan, "fan", "Fan"),
        (HMAccessoryCategoryTypeGarageDoorOpener, "garageDoorOpener", "Garage Door Opener"),
        (HMAccessoryCategoryTypeIPCamera, "ipCamera", "IP Camera"),
        (HMAccessoryCategoryTypeLightbulb, "lightbulb", "Lightbulb"),
        (HMAccessoryCategoryTypeOutlet, "outlet", "Outlet"),
        (HMAccessoryCategoryTypeProgrammableSwitch, "programmableSwitch", "Programmable Switch"),
        (HMAccessoryCategoryTypeRangeExtender, "rangeExtender", "Range Extender"),
        (HMAccessoryCategoryTypeSensor, "sensor", "Sensor"),
        (HMAccessoryCategoryTypeSwitch, "switch", "Switch"),
        (HMAccessoryCategoryTypeThermostat, "thermostat", "Thermostat"),
        (HMAccessoryCategoryTypeVideoDoorbell, "videoDoorbell", "Video Doorbell"),
        (HMAccessoryCategoryTypeWindow, "window", "Window"),
        (HMAccessoryCategoryTypeWindowCovering, "windowCovering", "Window Covering"),
        (HMAccessoryCategoryTypeAirPurifier, "airPurifier", "Air Purifier"),
        (HMAccessoryCategoryTypeAirHeater, "airHeater", "Air Heater"),
        (HMAccessoryCategoryTypeAirConditioner, "airConditioner", "Air Conditioner"),
        (HMAccessoryCategoryTypeAirHumidifier, "airHumidifier", "Air Humidifier"),
        (HMAccessoryCategoryTypeAirDehumidifier, "airDehumidifier", "Air Dehumidifier"),
        (HMAccessoryCategoryTypeSprinkler, "sprinkler", "Sprinkler"),
        (HMAccessoryCategoryTypeFaucet, "faucet", "Faucet"),
        (HMAccessoryCategoryTypeShowerHead, "showerHead", "Shower Head"),
        (HMAccessoryCategoryTypeTelevision, "television", "Television"),
        (HMAccessoryCategoryTypeTelevisionSetTopBox, "televisionSetTopBox", "Television Set-Top Box"),
        (HMAccessoryCategoryTypeTelevisionStreamingStick, "televisionStreamingStick", "Television Streaming Stick"),
        (HMAccessoryCategoryTypeWiFiRouter, "wiFiRouter", "Wi-Fi Router"),
        (HMAccessoryCategoryTypeSpeaker, "speaker", "Speaker"),
        (HMAccessoryCategoryTypeAudioReceiver, "audioReceiver", "Audio Receiver"),
        (HMAccessoryCategoryTypeAirPort, "airPort", "AirPort"),
    ]
}
