"""Home Assistant as the tests look at it: entities by accessory and setting."""
from bench import BASE
import ha


class Home:
    def __init__(self):
        self.api = ha.HA()

    # --- registries ---
    def entry(self, accessory, setting, domain=None):
        """The registry entry of a setting; None where there is none."""
        unique_id = f"{BASE}/{accessory}/{setting}"
        return next((e for e in self.api.ws("config/entity_registry/list")
                     if e["unique_id"] == unique_id and domain in (None, e["entity_id"].split(".")[0])), None)

    def entity_id(self, accessory, setting):
        entry = self.entry(accessory, setting)
        return entry and entry["entity_id"]

    def device(self, accessory):
        identifier = ["mqtt", f"{BASE}/{accessory}"]
        return next((d for d in self.api.ws("config/device_registry/list") if identifier in d["identifiers"]), None)

    def devices(self):
        return [d for d in self.api.ws("config/device_registry/list") if d["identifiers"][:1]
                and d["identifiers"][0][0] == "mqtt"]

    def area(self, area_id):
        return next((a["name"] for a in self.api.ws("config/area_registry/list") if a["area_id"] == area_id), None)

    # --- states ---
    def state(self, accessory, setting):
        """The state as a text; None where there is no such entity."""
        entity = self.entity_id(accessory, setting)
        state = entity and self.api.state(entity)
        return state and state["state"]

    def attributes(self, accessory, setting):
        entity = self.entity_id(accessory, setting)
        state = entity and self.api.state(entity)
        return state["attributes"] if state else {}

    def states(self, accessory, *settings):
        return [self.state(accessory, setting) for setting in settings]

    def states_of(self, accessories):
        """Number of entities of these accessories and all their states, in two calls."""
        prefixes = tuple(f"{BASE}/{a}/" for a in accessories)
        entities = {e["entity_id"] for e in self.api.ws("config/entity_registry/list")
                    if e["unique_id"].startswith(prefixes)}
        return {s["entity_id"]: s["state"] for s in self.api.rest("GET", "/api/states") if s["entity_id"] in entities}

    # --- services ---
    def call(self, accessory, setting, service, **data):
        entity = self.entity_id(accessory, setting)
        return self.api.call(entity.split(".")[0], service, {"entity_id": entity, **data})
