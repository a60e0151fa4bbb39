"""Settings and accessories that come, change and go."""
from bench import BASE, PREFIX
from checks_availability import KINDS, VALUES


def removed_setting(t, home, d, bridge, broker):
    """O16: a setting that goes and comes back"""
    entity = home.entity_id("lr-thermo", "power")
    home.api.ws("config/entity_registry/update", entity_id=entity, name="My own name")
    for setting in ("power", "display_text", "current"):
        gone = d.thermostat.remove(setting)
        bridge.refresh("lr-thermo")
        t.becomes(f"O16: {setting} is gone from the registry", lambda: home.entry("lr-thermo", setting), None)
        t.equal("O16: the others stay", len(home.states_of(["lr-thermo"])), 4)
        topics = f"{BASE}/lr-thermo/{setting}"
        t.equal("O16: its topics are cleared", broker.retained(topics, topics + "/#"), {})
        # The state is found on the broker, where Home Assistant left it: the announcement follows two seconds later.
        t.becomes("O16: nothing of it is announced any more", lambda: [
            p for p in broker.retained(f"{PREFIX}/device/+/config").values() if f'"{topics}"' in p], [])
        d.thermostat.add(gone)
        bridge.refresh("lr-thermo")
        t.becomes(f"O16: {setting} is back", lambda: home.state("lr-thermo", setting),
                  dict(zip(KINDS, VALUES))[setting])
    entry = home.entry("lr-thermo", "power") or {}
    t.equal("O16: it has the name that its user gave it", [entry.get("name"), entry.get("entity_id")],
            ["My own name", entity])
    gone = d.thermostat.remove("power")
    bridge.refresh("lr-thermo")
    bridge.refresh("lr-thermo")
    d.thermostat.add(gone)
    bridge.refresh("lr-thermo")
    t.becomes("O16: gone for a moment only", lambda: home.state("lr-thermo", "power"), "on")


def changed_kind(t, home, d, bridge):
    """A setting that changes its kind"""
    before = d.other.remove("power")
    for kind, fields, domain, state in [
            ("range", {"value": 7, "min": 0, "max": 10, "step": 1}, "number", "7"),
            ("enumeration", {"value": "a", "options": [{"value": "a", "label": "A"}]}, "select", "A"),
            ("text", {"value": "words"}, "text", "words"), ("information", {"value": "fact"}, "sensor", "fact"),
            ("toggle", {"value": True}, "switch", "on")]:
        setting = {**before, "kind": kind, **fields}
        d.other.add(setting)
        bridge.refresh("other")
        t.becomes(f"it is a {domain}", lambda: [(s.split(".")[0], v) for s, v in home.states_of(["other"]).items()],
                  [(domain, state)])
        d.other.remove("power")
    d.other.add({**before, "value": True})
    bridge.refresh("other")


def renamed(t, home, d, bridge, restart):
    """A renamed accessory"""
    ids = sorted(home.states_of(["lamp-1"]))
    d.twins[0].configuration["name"] = "Floor lamp"
    bridge.stop()
    restart()
    t.becomes("the device has the new name", lambda: home.device("lamp-1")["name"], "Floor lamp")
    t.becomes("its entities show it", lambda: home.attributes("lamp-1", "power").get("friendly_name"),
              "Floor lamp Power")
    t.equal("and keep their ids", sorted(home.states_of(["lamp-1"])), ids)
    d.twins[0].configuration["name"] = "Lamp"


def removed_accessory(t, home, d, bridge, broker, restart):
    """An accessory that goes from the configuration"""
    # What a kill leaves behind is cleared as well.
    for device, leave in [(d.twins[1], bridge.stop), (d.named[4], bridge.kill)]:
        leave()
        restart(without=[device])
        t.becomes(f"{device.id} is gone", lambda: home.device(device.id), None)
        t.equal("its entities too", home.states_of([device.id]), {})
        t.equal("its topics too", broker.retained(f"{BASE}/{device.id}", f"{BASE}/{device.id}/#"), {})
        t.check("the others stay", home.device("lamp-1"))
        bridge.stop()
        restart()
        t.becomes("it comes back", lambda: home.states(device.id, "power")[0] in ("on", "off"), True)


def removed_setting_while_stopped(t, home, d, bridge, restart):
    """A setting that goes, and one that changes its kind, while the bridge is stopped"""
    bridge.stop()
    gone = d.thermostat.remove("display_text")
    d.thermostat.change("mode", kind="text", value="by hand")
    restart()
    t.becomes("the one is gone", lambda: home.entry("lr-thermo", "display_text"), None)
    t.becomes("the other is a text", lambda: [home.entity_id("lr-thermo", "mode"), home.state("lr-thermo", "mode")],
              ["text.lr_thermo_mode", "by hand"])
    d.thermostat.change("mode", kind="enumeration", value="heat")
    d.thermostat.add(gone)
    bridge.refresh("lr-thermo")
    t.becomes("both are as before", lambda: home.states("lr-thermo", *KINDS), VALUES)


def deleted_by_user(t, home, d, broker):
    """A device that is deleted in Home Assistant"""
    home.api.remove_device(f"{BASE}/other")
    t.becomes("it is gone", lambda: home.states_of(["other"]), {})
    broker.publish(f"{PREFIX}/status", "online")
    t.becomes("it is back after the next birth message", lambda: home.state("other", "power"), "on")


def disabled(t, home, d, bridge, broker, restart):
    """home_assistant.enabled: false"""
    bridge.stop()
    restart(home_assistant={"enabled": False})
    t.becomes("no device is left", lambda: [x["name"] for x in home.devices()], [])
    t.equal("nothing is announced", broker.retained(f"{PREFIX}/#"), {})
    t.equal("the plain topics stay", broker.retained(f"{BASE}/lr-thermo/power"), {f"{BASE}/lr-thermo/power": "ON"})
    bridge.stop()
    restart()
    t.becomes("all are back", lambda: len(home.devices()), len(d.all) + 2)
    t.becomes("with their values", lambda: home.states("lr-thermo", *KINDS), VALUES)
    t.equal("and the names that their users gave them", home.entry("lr-thermo", "power")["name"], "My own name")
