"""Values on their way to a device and back."""
import ha
from bench import BASE, wait_until

ODD_TEXTS = ["Grüße aus der Küche 🛋️", 'She said "hi"', "it's", "{{ 1 + 1 }} {% raw %} {# c #}", "two\nlines", "back\\slash \\n",
             '{"value": 1}', "None", "true", "0", "ü" * 255, "x" * 255, ""]


def services(t, home, d, bridge):
    """A service of each kind"""
    for setting, service, data, change, state in [
            ("power", "turn_off", {}, {"power": False}, "off"),
            ("power", "turn_on", {}, {"power": True}, "on"),
            ("power", "toggle", {}, {"power": False}, "off"),
            ("target", "set_value", {"value": 22.5}, {"target": 22.5}, "22.5"),
            ("target", "set_value", {"value": 30}, {"target": 30}, "30"),
            ("mode", "select_option", {"option": "Cooling"}, {"mode": "cool"}, "Cooling"),
            ("mode", "select_next", {}, {"mode": "auto"}, "Automatic"),
            ("display_text", "set_value", {"value": "Good morning"}, {"display_text": "Good morning"},
             "Good morning")]:
        home.call("lr-thermo", setting, service, **data)
        t.becomes(f"{service} of {setting} comes back", lambda: home.state("lr-thermo", setting), state)
        t.equal(f"{service} of {setting} reaches the device", bridge.writes(d.thermostat)[-1:], [change])
    t.equal("one write for each", len(bridge.writes(d.thermostat)), 8)
    home.call("numbers", "fahrenheit", "set_value", value=25)
    t.becomes("O15: a temperature set in °C", lambda: home.state("numbers", "fahrenheit"), "25.0")
    t.equal("O15: reaches a device that counts in °F", bridge.writes(d.numbers)[-1:], [{"fahrenheit": 77}])
    home.call("numbers", "level", "set_value", value=41.4)
    t.becomes("a number between two steps is snapped", lambda: home.state("numbers", "level"), "41")
    home.call("hallway", "eco", "turn_on")
    t.becomes("the demo's eco mode", lambda: home.state("hallway", "eco"), "on")
    t.becomes("it disables the boost", lambda: home.state("hallway", "boost_minutes"), "unavailable")
    t.becomes("and the humidity can't be read", lambda: home.state("hallway", "humidity"), "unknown")
    home.call("hallway", "eco", "turn_off")
    t.becomes("the boost is back", lambda: home.state("hallway", "boost_minutes"), "0")


def texts(t, home, d, bridge, broker):
    """O17: texts"""
    for text in ODD_TEXTS:
        home.call("lr-thermo", "display_text", "set_value", value=text)
        short = text if len(text) < 60 else f"{len(text)} × {text[0]}"
        t.becomes(f"{short!r} comes back", lambda: home.state("lr-thermo", "display_text"), text)
        t.equal(f"{short!r} reaches the device", bridge.writes(d.thermostat)[-1:], [{"display_text": text}])
    before = len(bridge.writes(d.thermostat))
    try:
        home.call("lr-thermo", "display_text", "set_value", value="y" * 256)
        refusal = None
    except ha.Error as error:
        refusal = str(error)
    t.check("O17: Home Assistant itself refuses 256 characters", refusal, "it did not")
    t.equal("O17: and sends nothing", len(bridge.writes(d.thermostat)), before)
    for character in "xü🛋":
        d.thermostat.change("display_text", value=character * 300)
        bridge.refresh("lr-thermo")
        t.becomes(f"O17: 300 × {character} are cut at 255", lambda: home.state("lr-thermo", "display_text"),
                  character * 255)
    broker.publish(f"{BASE}/lr-thermo/display_text/set", "y" * 300)
    t.becomes("O17: 300 characters from another client", lambda: home.state("lr-thermo", "display_text"), "y" * 255)
    t.equal("O17: reach the device whole", bridge.writes(d.thermostat)[-1:], [{"display_text": "y" * 300}])
    d.thermostat.change("current", value="ä" * 300)
    bridge.refresh("lr-thermo")
    t.becomes("O17: 300 characters of information", lambda: home.state("lr-thermo", "current"), "ä" * 255)
    d.thermostat.change("current", value="")
    bridge.refresh("lr-thermo")
    t.becomes("an empty information", lambda: home.state("lr-thermo", "current"), "")


def unreadable(t, home, d, bridge):
    """Values that can't be read"""
    settings = {"power": (True, "on"), "target": (21, "21"), "mode": ("heat", "Heating"),
                "display_text": ("Hello", "Hello"), "current": ("20.5", "20.5")}
    for setting, (value, state) in settings.items():
        d.thermostat.change(setting, value=value)
    bridge.refresh("lr-thermo")
    for setting, (value, state) in settings.items():
        t.becomes(f"{setting} is read", lambda: home.state("lr-thermo", setting), state)
    for setting in settings:
        d.thermostat.change(setting, value=None)
    bridge.refresh("lr-thermo")
    for setting in settings:
        t.becomes(f"O08: unreadable {setting}", lambda: home.state("lr-thermo", setting),
                  "" if setting == "display_text" else "unknown")
    home.call("lr-thermo", "power", "turn_on")
    t.becomes("an unreadable setting can still be set", lambda: home.state("lr-thermo", "power"), "on")
    for setting, (value, state) in settings.items():
        d.thermostat.change(setting, value=value)
    bridge.refresh("lr-thermo")
    for setting, (value, state) in settings.items():
        t.becomes(f"O08: {setting} can be read again", lambda: home.state("lr-thermo", setting), state)


def refused(t, home, d, bridge, broker, observer):
    """Changes that a device refuses or ignores"""
    for mood, undo in [({"writeFailure": "the valve is stuck"}, {"writeFailure": None}),
                       ({"ignoresWrites": True}, {"ignoresWrites": False})]:
        d.thermostat.behave(**mood)
        for setting, service, data, state, payload in [
                ("power", "turn_off", {}, "on", "ON"), ("target", "set_value", {"value": 25}, "21", "21"),
                ("mode", "select_option", {"option": "Cooling"}, "Heating", "heat"),
                ("display_text", "set_value", {"value": "No"}, "Hello", "Hello")]:
            before = len(bridge.writes(d.thermostat))
            observer.forget()
            home.call("lr-thermo", setting, service, **data)
            wait_until(f"{setting} is written", lambda: len(bridge.writes(d.thermostat)) > before)
            t.becomes(f"{next(iter(mood))}: the true {setting} is published again",
                      lambda: [m[1] for m in observer.heard(f"{BASE}/lr-thermo/{setting}")], [payload])
            t.becomes(f"{next(iter(mood))}: {setting} goes back", lambda: home.state("lr-thermo", setting), state)
        d.thermostat.behave(**undo)


def bounds(t, home, d, bridge):
    """Readings outside the declared limits"""
    for value, low, high in [(35, 5, 35), (36.5, 5, 36.5), (-4, -4, 30), (21, 5, 30)]:
        d.thermostat.change("target", value=value)
        bridge.refresh("lr-thermo")
        # Home Assistant turns all but natural numbers into floating-point ones.
        state = str(value if value >= 0 else float(value))
        t.becomes(f"{value} shows", lambda: home.state("lr-thermo", "target"), state)
        t.becomes(f"{value} widens the limits to include it", lambda: [
            home.attributes("lr-thermo", "target").get(k) for k in ("min", "max")], [low, high])
    home.call("lr-thermo", "target", "set_value", value=21.5)
    t.becomes("and it can be set", lambda: home.state("lr-thermo", "target"), "21.5")
    d.thermostat.change("mode", options=[{"value": "heat", "label": "Warm"}, {"value": "dry", "label": "Dry"}],
                        value="dry")
    bridge.refresh("lr-thermo")
    t.becomes("new options show", lambda: home.attributes("lr-thermo", "mode").get("options"), ["Warm", "Dry"])
    t.becomes("and one of them is chosen", lambda: home.state("lr-thermo", "mode"), "Dry")
