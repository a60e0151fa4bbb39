"""What there is in Home Assistant after the start."""
from devices import ODD_OPTIONS, UNITS


def devices(t, home, d):
    """Devices"""
    topics = [x["id"].replace("+", "%2B").replace("/", "%2F") for x in d.configuration()] + ["bridge"]
    count = sum(len(x.settings()) for x in d.all) + 8 + 4

    def entities():
        states = home.states_of(topics)
        return len(states), [e for e, s in states.items() if s == "unavailable"]
    # The demo's thermostat hides its fan timer.
    t.becomes("every accessory has all its entities", entities, (count, ["number.hallway_fan_timer"]), 30)
    device = home.device("lr-thermo") or {}
    for key, wanted in [("name", "Living Room"), ("manufacturer", "Acme"), ("model", "T1"), ("sw_version", "1.4"),
                        ("hw_version", "B"), ("serial_number", "SN42")]:
        t.equal(f"the device's {key}", device.get(key), wanted)
    t.equal("the device's area is the room", home.area(device.get("area_id")), "Lounge")
    bridge = home.device("bridge") or {}
    t.check("the device is connected through the bridge", device.get("via_device_id") == bridge.get("id") != None)
    t.equal("the accessories without a room have no area", home.device("numbers")["area_id"], None)
    t.equal("devices", len(home.devices()), len(d.all) + 2)
    demo = home.device("hallway") or {}
    t.equal("the demo's thermostat", [demo.get("name"), demo.get("model"), home.area(demo.get("area_id"))],
            ["Hallway thermostat", "T1", "Hallway"])
    t.equal("its settings", sorted(s.split(".")[0] for s in home.states_of(["hallway"])),
            ["number"] * 3 + ["select"] + ["sensor"] * 2 + ["switch", "text"])


def entities(t, home, d):
    """Entities of each kind"""
    for setting, entity_id, category, name in [
            ("power", "switch.lr_thermo_power", "config", "Power"),
            ("target", "number.lr_thermo_target", "config", "Target temperature"),
            ("mode", "select.lr_thermo_mode", "config", "Mode"),
            ("display_text", "text.lr_thermo_display_text", "config", "Display text"),
            ("current", "sensor.lr_thermo_current", "diagnostic", "Current")]:
        entry = home.entry("lr-thermo", setting) or {}
        t.equal(f"entity id of {setting}", entry.get("entity_id"), entity_id)
        t.equal(f"category of {setting}", entry.get("entity_category"), category)
        t.equal(f"O13: name of {setting} is without the device's", entry.get("original_name"), name)
        t.equal(f"O13: friendly name of {setting}", home.attributes("lr-thermo", setting).get("friendly_name"),
                f"Living Room {name}")
    t.equal("states after the start", home.states("lr-thermo", "power", "target", "mode", "display_text", "current"),
            ["on", "21", "Heating", "Hello", "20.5"])
    target = home.attributes("lr-thermo", "target")
    t.equal("the range's limits, step, mode and unit",
            [target.get(k) for k in ("min", "max", "step", "mode", "unit_of_measurement", "device_class")],
            [5, 30, 0.5, "slider", "°C", "temperature"])
    t.equal("the enumeration's options are its labels", home.attributes("lr-thermo", "mode").get("options"),
            ["Heating", "Cooling", "Automatic"])
    written = home.attributes("lr-thermo", "display_text")
    t.equal("the text's limits", [written.get(k) for k in ("min", "max", "mode")], [0, 255, "text"])


def numbers(t, home, d):
    """O02, O15: limits and units of ranges"""
    # Home Assistant turns all but natural numbers into floating-point ones.
    for setting, state, low, high, step, mode in [
            ("interval", "900", 10, 3600, 10, "box"), ("offset", "-12.0", -20, 0, 1, "slider"),
            ("level", "40", 0, 100, 1, "slider"), ("fine", "0.5", 0, 1, 0.001, "box"),
            ("open", "3", -1e9, 1e9, 1, "box")]:
        attributes = home.attributes("numbers", setting)
        t.equal(f"O02: {setting}", [home.state("numbers", setting)] + [
            attributes.get(k) for k in ("min", "max", "step", "mode")], [state, low, high, step, mode])
    # Home Assistant shows degrees in the unit of its own settings.
    for setting, state, unit, device_class in [
            ("fahrenheit", "20", "°C", "temperature"), ("degrees", "20", "°C", "temperature"),
            ("celsius", "20", "°C", "temperature"), ("kelvin", "293", "K", "temperature"),
            ("interval", "900", "s", "duration"), ("level", "40", "%", None),
            ("speed", "3", "furlong/fortnight", None), ("bare", "3", None, None)]:
        attributes = home.attributes("numbers", setting)
        t.equal(f"O15: {setting}", [str(round(float(home.state("numbers", setting)))),
                                    attributes.get("unit_of_measurement"), attributes.get("device_class")],
                [state, unit, device_class])
    t.equal("O15: other units", [home.attributes("units", f"unit{n}").get("unit_of_measurement")
                                 for n in range(len(UNITS))], UNITS)


def names(t, home, d):
    """O01: names and identifiers in any script"""
    topics = {"Delta +1": "Delta %2B1", "a/b": "a%2Fb"}
    for device in d.named:
        topic = topics.get(device.id, device.id)
        t.equal(f"O01: the device of {device.id!r}", (home.device(topic) or {}).get("name"),
                device.configuration["name"])
        t.equal(f"O01: its toggle", home.state(topic, "power"), "off")
    ids = [home.entity_id(topics.get(x.id, x.id), "power") for x in d.named]
    t.equal("O01: all entity ids differ", len(set(ids)), len(d.named))
    for setting, state in [("panel%2Fbrightness", "off"), ("%73et", "off"), ("ünd so", "off"), ("Eco", "off"),
                           ("eco", "off"), ("it's", "q"), ('"{{x}}', "b")]:
        t.equal(f"O01: setting {setting!r}", home.state("odd", setting), state)
    for device in d.named:
        home.call(topics.get(device.id, device.id), "power", "turn_on")
        t.becomes(f"O01: {device.id!r} is switched on", lambda: home.state(topics.get(device.id, device.id), "power"),
                  "on")
    for setting in ("panel%2Fbrightness", "%73et", "ünd so", "eco"):
        home.call("odd", setting, "turn_on")
        t.becomes(f"O01: setting {setting!r} is switched on", lambda: home.state("odd", setting), "on")
    t.equal("O01: Eco and eco are two", home.state("odd", "Eco"), "off")


def twins(t, home, d, bridge):
    """Two accessories with the same name"""
    t.equal("both are there", [(home.device(x.id) or {}).get("name") for x in d.twins], ["Lamp", "Lamp"])
    ids = [home.entity_id(x.id, "power") for x in d.twins]
    t.equal("their entities", ids, ["switch.lamp_1_power", "switch.lamp_2_power"])
    home.call("lamp-2", "power", "turn_on")
    t.becomes("one is switched", lambda: home.state("lamp-2", "power"), "on")
    t.equal("the other is not", [home.state("lamp-1", "power"), bridge.writes(d.twins[0])], ["off", []])
    t.equal("O13: a setting called as its device has the device's name alone",
            home.attributes("lamp-1", "name").get("friendly_name"), "Lamp")


def options(t, home, d, bridge):
    """O12: options"""
    labels = [o["label"].strip() for o in ODD_OPTIONS]
    t.equal("labels of any kind are the options", home.attributes("choices", "odd").get("options"), labels)
    for option, label in reversed(list(zip(ODD_OPTIONS, labels))):
        home.call("choices", "odd", "select_option", option=label)
        t.becomes(f"{label!r} is chosen", lambda: home.state("choices", "odd"), label)
        t.equal(f"the device gets {option['value']!r}", bridge.writes(d.choices)[-1:], [{"odd": option["value"]}])
    for setting, offered, state in [
            ("none", ["(none)", "rainbow"], "rainbow"), ("off", ["off", "a"], "a"), ("same", ["a", "b"], "b"),
            ("blank", ["a", "b"], "b")]:
        t.equal(f"O12: {setting} offers raw values", home.attributes("choices", setting).get("options"), offered)
        t.equal(f"O12: {setting}'s state", home.state("choices", setting), state)
        home.call("choices", setting, "select_option", option=offered[0])
        t.becomes(f"O12: {setting} shows {offered[0]!r}", lambda: home.state("choices", setting), offered[0])
    t.equal("O12: the device gets the raw value of '(none)'", [w for w in bridge.writes(d.choices) if "none" in w],
            [{"none": "none"}])
    for setting, back, shown in [("odd", "edge", "wide"), ("same", "b", "b")]:
        d.choices.change(setting, value="turbo")
        bridge.refresh("choices")
        t.becomes(f"O12: a value that is no option of {setting} is unknown", lambda: home.state("choices", setting),
                  "unknown")
        d.choices.change(setting, value=back)
        bridge.refresh("choices")
        t.becomes(f"O12: {setting} is back", lambda: home.state("choices", setting), shown)


def bridge_device(t, home, d, bridge):
    """The bridge's own device"""
    device = home.device("bridge") or {}
    t.equal("its name", device.get("name"), "settings2mqtt (settings2mqtt)")
    t.check("its version", device.get("sw_version"), device)
    for setting, entity_id in [
            ("connection", "binary_sensor.settings2mqtt_connection"), ("version", "sensor.settings2mqtt_version"),
            ("offline", "sensor.settings2mqtt_offline"), ("refresh", "button.settings2mqtt_refresh")]:
        t.equal(f"entity id of {setting}", home.entity_id("bridge", setting), entity_id)
    t.equal("connection, version, accessories offline", home.states("bridge", "connection", "version", "offline"),
            ["on", device.get("sw_version"), "0"])
    d.other.change("power", value=False)
    home.call("bridge", "refresh", "press")
    t.becomes("'Refresh all' reads what the device says", lambda: home.state("other", "power"), "off")
