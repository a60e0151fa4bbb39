"""What can be used when."""
KINDS = ["power", "target", "mode", "display_text", "current"]
VALUES = ["on", "21", "Heating", "Hello", "20.5"]
UNAVAILABLE = ["unavailable"] * 5


def reset(d, bridge):
    from devices import MODES
    d.thermostat.change("mode", options=MODES)
    for setting, value in zip(KINDS, [True, 21, "heat", "Hello", "20.5"]):
        d.thermostat.change(setting, value=value)
    bridge.refresh("lr-thermo")


def settings(t, home, d, bridge):
    """Disabled and hidden settings"""
    reset(d, bridge)
    t.becomes("before", lambda: home.states("lr-thermo", *KINDS), VALUES)
    for flag, off, on in [("enabled", False, True), ("hidden", True, False)]:
        for setting, state in zip(KINDS, VALUES):
            d.thermostat.change(setting, **{flag: off})
            bridge.refresh("lr-thermo")
            t.becomes(f"{flag}: {str(off).lower()} makes {setting} unavailable",
                      lambda: home.state("lr-thermo", setting), "unavailable")
            others = [x for x in KINDS if x != setting]
            t.check("the others stay", "unavailable" not in home.states("lr-thermo", *others),
                    home.states("lr-thermo", *others))
            d.thermostat.change(setting, **{flag: on})
            bridge.refresh("lr-thermo")
            t.becomes(f"{flag}: {str(on).lower()} brings {setting} back", lambda: home.state("lr-thermo", setting),
                      state)


def accessory(t, home, d, bridge):
    """O23: a device that does not answer"""
    d.thermostat.behave(readFailure="no route to host")
    bridge.refresh("lr-thermo")
    t.becomes("O23: its entities are unavailable", lambda: home.states("lr-thermo", *KINDS), UNAVAILABLE)
    t.becomes("O23: the bridge counts it", lambda: home.state("bridge", "offline"), "1")
    t.equal("O23: the others stay", [home.state("other", "power"), home.state("bridge", "connection")], ["off", "on"])
    d.thermostat.change("target", value=23)
    d.thermostat.behave(readFailure=None)
    t.becomes("O23: it comes back by itself, with the values of now", lambda: home.states("lr-thermo", *KINDS),
              ["on", "23", "Heating", "Hello", "20.5"])
    t.becomes("O23: the bridge counts none", lambda: home.state("bridge", "offline"), "0")
    d.thermostat.change("target", value=21)
    bridge.refresh("lr-thermo")


def stopped(t, home, d, bridge, restart):
    """The bridge stopped, and killed"""
    for how, leave in [("stopped", bridge.stop), ("killed", bridge.kill)]:
        leave()
        t.becomes(f"{how}: unavailable", lambda: home.states("lr-thermo", *KINDS), UNAVAILABLE)
        t.becomes(f"{how}: connection shows off", lambda: home.state("bridge", "connection"), "off")
        t.becomes(f"{how}: the rest of the bridge's device is unavailable",
                  lambda: home.states("bridge", "version", "offline", "refresh"), ["unavailable"] * 3)
        restart()
        t.becomes(f"{how}: back", lambda: home.states("lr-thermo", *KINDS), VALUES)
        t.becomes(f"{how}: connection shows on", lambda: home.state("bridge", "connection"), "on")
        t.becomes(f"{how}: no accessory is offline", lambda: home.state("bridge", "offline"), "0")
