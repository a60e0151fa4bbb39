"""Home Assistant, the broker, and many accessories."""
from bench import BASE, PREFIX, Device
from checks_availability import KINDS, UNAVAILABLE, VALUES
from devices import choice, information, number, options, text, toggle


def configs(observer):
    return [m for m in observer.heard() if m[0].startswith(f"{PREFIX}/device/") and m[1]]


def birth(t, home, d, bridge, broker, observer):
    """O03: a birth message"""
    writes = bridge.writes(d.thermostat)
    before = broker.retained("#")
    observer.forget()
    broker.publish(f"{PREFIX}/status", "online")
    t.becomes("O03: every device is announced again", lambda: len({m[0] for m in configs(observer)}), len(d.all) + 2)
    t.becomes("O03: and its values", lambda: len([m for m in observer.heard(f"{BASE}/other/power")]) > 0, True)
    heard = observer.heard()
    for device, setting in [(d.thermostat, "power"), (d.other, "power")]:
        state = f"{BASE}/{device.id}/{setting}"
        config = next(n for n, m in enumerate(heard) if m[0].startswith(PREFIX) and f'"{state}"' in m[1])
        t.check(f"O03: {device.id}: announced before its value",
                config < next(n for n, m in enumerate(heard) if m[0] == state))
    t.equal("O03: nothing is written", bridge.writes(d.thermostat), writes)
    t.equal("O03: as much is retained as before", sorted(broker.retained("#")), sorted(before))
    t.equal("O03: the states stay", home.states("lr-thermo", *KINDS), VALUES)


def home_assistant(t, home, d, bridge, observer):
    """Home Assistant restarted"""
    observer.forget()
    home.api.restart()
    t.becomes("all is back", lambda: home.states("lr-thermo", *KINDS), VALUES, 30)
    t.becomes("it says that it is there", lambda: [
        m[1] for m in observer.heard(f"{PREFIX}/status")][-1:], ["online"], 40)
    t.becomes("the bridge announces all", lambda: len({m[0] for m in configs(observer)}), len(d.all) + 2)
    t.equal("no entity is unavailable", [e for e, s in home.states_of([x.id for x in d.all]).items()
                                         if s == "unavailable"], [])
    home.call("lr-thermo", "power", "turn_off")
    t.becomes("services work", lambda: home.state("lr-thermo", "power"), "off")
    home.call("lr-thermo", "power", "turn_on")


def broker_restarted(t, home, d, bridge, broker):
    """The broker restarted, with nothing left"""
    # What nothing but a passing message was retained for is not expected back.
    before = sorted(broker.retained(f"{BASE}/#", f"{PREFIX}/#"))
    broker.stop()
    t.becomes("without the broker all is unavailable", lambda: home.states("lr-thermo", *KINDS), UNAVAILABLE)
    broker.start()
    t.becomes("all is back", lambda: home.states("lr-thermo", *KINDS), VALUES, 60)
    t.becomes("all is retained again", lambda: sorted(broker.retained(f"{BASE}/#", f"{PREFIX}/#")), before)
    home.call("lr-thermo", "target", "set_value", value=22)
    t.becomes("services work", lambda: home.state("lr-thermo", "target"), "22")
    home.call("lr-thermo", "target", "set_value", value=21)
    t.becomes("no entity is unavailable", lambda: [e for e, s in home.states_of([x.id for x in d.all]).items()
                                                   if s == "unavailable"], [])


def many(t, home, d, bridge, broker, restart):
    """O31: 200 accessories with 10 settings each"""
    def settings(n):
        return [toggle("power", "Power", n % 2 == 0), toggle("lock", "Child lock"), toggle("eco", "Eco mode"),
                number("target", "Target", n % 25 + 5, 5, 30, 0.5, "°C"), number("level", "Level", n % 100, 0, 100, 1),
                number("delay", "Delay", n, 0, 3600, 1, "s"),
                choice("mode", "Mode", "abc"[n % 3], options(("a", "A"), ("b", "B"), ("c", "C"))),
                text("name", "Name on the display", f"Room {n}"), information("firmware", "Firmware", "1.0"),
                information("serial", "Serial number", f"SN{n}")]
    rooms = [Device(bridge.devices, f"room-{n}", f"Room {n}", settings(n)) for n in range(200)]
    wanted = {}
    for n in range(200):
        states = ["on" if n % 2 == 0 else "off", "off", "off", str(n % 25 + 5), str(n % 100), str(n), "ABC"[n % 3],
                  f"Room {n}", "1.0", f"SN{n}"]
        domains = ["switch"] * 3 + ["number"] * 3 + ["select", "text", "sensor", "sensor"]
        names = ["power", "lock", "eco", "target", "level", "delay", "mode", "name", "firmware", "serial"]
        wanted.update({f"{x}.room_{n}_{y}": z for x, y, z in zip(domains, names, states)})
    bridge.stop()
    restart(accessories=[x.configuration for x in rooms])
    ids = [x.id for x in rooms]

    def wrong():
        states = home.states_of(ids)
        found = {e: states.get(e) for e, s in wanted.items() if states.get(e) != s}
        return len(found), sorted(found.items())[:5]
    t.becomes("O31: 2,000 entities, each with its value", wrong, (0, []), 180)
    home.call("room-199", "power", "turn_on")
    t.becomes("O31: the last one can be switched", lambda: home.state("room-199", "power"), "on")
    wanted["switch.room_199_power"] = "on"
    broker.publish(f"{PREFIX}/status", "online")
    home.call("room-199", "lock", "turn_on")
    t.becomes("O31: also during a birth message", lambda: home.state("room-199", "lock"), "on")
    wanted["switch.room_199_lock"] = "on"
    t.becomes("O31: after it all is as before", wrong, (0, []), 60)
    bridge.stop()
    t.becomes("O31: all are unavailable when the bridge stops", lambda: set(home.states_of(ids).values()),
              {"unavailable"}, 30)
    restart()
    t.becomes("O31: all are gone with their accessories", lambda: home.states_of(ids), {}, 60)
    t.equal("O31: and what was retained for them", broker.retained(f"{BASE}/room-0", f"{BASE}/room-199/#"), {})
    t.becomes("O31: the others are back", lambda: home.states("lr-thermo", *KINDS), VALUES, 30)
