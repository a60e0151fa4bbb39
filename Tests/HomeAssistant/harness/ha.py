#!/usr/bin/env python3
"""Client for the Home Assistant that `start` started. Python 3.11's standard library only.

As a module:
    import ha
    h = ha.HA()                                  # url and token from $HA_STATE (default /var/cache/settings2mqtt/home-assistant/run)
    h.state("switch.lamp_power")                 # {'state': 'on', 'attributes': {...}} or None
    h.call("number", "set_value", {"entity_id": "number.lamp_level", "value": 7})
    h.wait("switch.lamp_power", "on", 5)
    h.entity("switch.lamp_power"), h.entities("lamp"), h.devices("lamp"), h.device("Lamp")
    h.ws("config/entity_registry/update", entity_id=..., disabled_by="user")

As a program:
    ha.py states [FILTER]          state of each entity whose id or name has FILTER, one a line
    ha.py state ENTITY             that entity as JSON
    ha.py entities [FILTER]        entity registry (unique_id, entity_category, device_id, ...) as JSON
    ha.py devices [FILTER]         device registry as JSON
    ha.py call DOMAIN SERVICE [JSON]
    ha.py wait ENTITY STATE [SECONDS]
    ha.py remove-device NAME       as the delete button on the device page does
    ha.py ws TYPE [JSON]           any WebSocket command
    ha.py log [WORD]               Home Assistant's log lines of WARNING and above (that have WORD)
    ha.py restart                  restarts Home Assistant (homeassistant.restart) and waits until it runs
    ha.py version
"""
import json
import os
import re
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
from websocket import Error, WebSocket

STATE = os.environ.get("HA_STATE") or os.path.join(os.environ.get("HA_CACHE", "/var/cache/settings2mqtt/home-assistant"), "run")
CLIENT_ID = "http://127.0.0.1/"


def _read(name):
    with open(os.path.join(STATE, name), encoding="utf-8") as f:
        return f.read().strip()


class HA:
    def __init__(self, url=None, token=None):
        self.url = url or os.environ.get("HA_URL") or _read("url")
        self.token = token or os.environ.get("HA_TOKEN") or (_read("token") if os.path.exists(os.path.join(STATE, "token")) else "")
        self._ws, self._id = None, 0

    # --- transport ---
    def rest(self, method, path, body=None, timeout=30, form=None):
        data, headers = None, {"Authorization": "Bearer " + self.token} if self.token else {}
        if form is not None:
            data = urllib.parse.urlencode(form).encode()
        elif body is not None:
            data, headers["Content-Type"] = json.dumps(body).encode(), "application/json"
        req = urllib.request.Request(self.url + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(req, timeout=timeout) as r:
                raw = r.read().decode()
        except urllib.error.HTTPError as e:
            raise Error(f"{method} {path}: {e.code} {e.read().decode(errors='replace')[:2000]}") from None
        try:
            return json.loads(raw) if raw else None
        except ValueError:
            return raw

    def ws(self, type, **fields):
        """One WebSocket command; its result."""
        for attempt in (0, 1):
            try:
                if self._ws is None:
                    self._ws, self._id = WebSocket(self.url.replace("http", "ws", 1) + "/api/websocket"), 0
                    self._ws.recv()
                    self._ws.send({"type": "auth", "access_token": self.token})
                    if (r := self._ws.recv())["type"] != "auth_ok":
                        raise Error(str(r))
                self._id += 1
                self._ws.send({"id": self._id, "type": type, **fields})
                while True:
                    r = self._ws.recv()
                    if r.get("id") == self._id and r["type"] == "result":
                        break
                break
            except (OSError, Error):
                self._ws = None
                if attempt:
                    raise
        if not r["success"]:
            raise Error(f"{type}: {r['error']}")
        return r["result"]

    # --- states and services ---
    def states(self, word=""):
        w = word.lower()
        return sorted((s for s in self.rest("GET", "/api/states")
                       if w in s["entity_id"] or w in str(s["attributes"].get("friendly_name", "")).lower()),
                      key=lambda s: s["entity_id"])

    def state(self, entity_id):
        try:
            return self.rest("GET", "/api/states/" + entity_id)
        except Error as e:
            if ": 404 " in str(e):
                return None
            raise

    def call(self, domain, service, data=None):
        """Calls a service and waits until it is done; Error with Home Assistant's words where it is refused."""
        return self.rest("POST", f"/api/services/{domain}/{service}", data or {}, timeout=60)

    def wait(self, entity_id, want, timeout=10):
        """Waits until the entity's state is WANT (a string, None for 'no such state', or a function of the
        state object); returns it. Error with the last state seen when it does not come about."""
        end = time.monotonic() + timeout
        while True:
            s = self.state(entity_id)
            if (want(s) if callable(want) else s is None if want is None else s is not None and s["state"] == want):
                return s
            if time.monotonic() > end:
                raise Error(f"{entity_id} is {s and s['state']!r} {s and s['attributes']}, not {want!r}, after {timeout} s")
            time.sleep(0.05)

    def until(self, what, f, timeout=10):
        """Waits until f() is true; returns what it returned."""
        end = time.monotonic() + timeout
        while not (r := f()):
            if time.monotonic() > end:
                raise Error(f"not within {timeout} s: {what}")
            time.sleep(0.05)
        return r

    # --- registries ---
    def entities(self, word=""):
        w = word.lower()
        return [e for e in self.ws("config/entity_registry/list") if w in json.dumps(e).lower()]

    def entity(self, entity_id):
        return next((e for e in self.ws("config/entity_registry/list") if e["entity_id"] == entity_id), None)

    def by_unique_id(self, unique_id, platform="mqtt"):
        """The registry entry of a unique_id, as a bridge sent it in its discovery message."""
        return next((e for e in self.ws("config/entity_registry/list")
                     if e["unique_id"] == unique_id and e["platform"] == platform), None)

    def devices(self, word=""):
        w = word.lower()
        return [d for d in self.ws("config/device_registry/list") if w in json.dumps(d).lower()]

    def device(self, name):
        """The device of that name (or of that MQTT identifier)."""
        return next((d for d in self.ws("config/device_registry/list")
                     if name in (d["name"], d["name_by_user"]) or ["mqtt", name] in d["identifiers"]), None)

    def mqtt_entry(self):
        return next((e for e in self.rest("GET", "/api/config/config_entries/entry") if e["domain"] == "mqtt"), None)

    def remove_device(self, name):
        d = self.device(name)
        if d is None:
            raise Error(f"no device {name!r}")
        return self.ws("config/device_registry/remove", device_id=d["id"])

    def log(self, word="", levels=("WARNING", "ERROR", "CRITICAL")):
        """Log entries of those levels, each with the lines that follow it, oldest first."""
        out = []
        with open(os.path.join(STATE, "hass.out"), encoding="utf-8", errors="replace") as f:
            for line in f:
                if re.match(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", line):
                    out.append(line.rstrip("\n"))
                elif out:
                    out[-1] += "\n" + line.rstrip("\n")
        return [e for e in out if any(f" {lv} " in e.split("\n")[0] for lv in levels) and word in e]

    # --- life cycle ---
    def wait_running(self, timeout=120, broker=True):
        end, last = time.monotonic() + timeout, "no answer"
        while time.monotonic() < end:
            try:
                last = self.rest("GET", "/api/config", timeout=5)["state"]
                if last == "RUNNING":
                    e = self.mqtt_entry()
                    last = e and e["state"]
                    if not broker or last == "loaded":
                        return
            except (OSError, Error) as e:
                last = e
            time.sleep(0.1)
        raise Error(f"Home Assistant is not running after {timeout} s: {last}")

    def restart(self, timeout=120):
        pid = _read("hass.pid")
        try:
            self.call("homeassistant", "restart")
        except (OSError, Error):
            pass  # it may hang up before it answers
        self._ws = None
        def new():
            try:
                return _read("hass.pid") != pid
            except OSError:
                return False
        self.until("Home Assistant restarts", new, timeout)
        self.wait_running(timeout)

    def onboard(self, broker_port, timeout=120):
        """Creates the owner and a long-lived token, and adds the MQTT integration; then waits until it all runs."""
        end = time.monotonic() + timeout
        sup = int(_read("supervise.pid"))
        while True:
            try:
                self.rest("GET", "/manifest.json", timeout=5)
                break
            except (OSError, Error) as e:
                if time.monotonic() > end:
                    raise Error(f"no answer within {timeout} s: {e}") from None
                try:
                    os.kill(sup, 0)
                except OSError:
                    raise Error("Home Assistant ended") from None
                time.sleep(0.1)
        if not self.token:
            def users():
                try:
                    return self.rest("POST", "/api/onboarding/users", {
                        "client_id": CLIENT_ID, "name": "Tester", "username": "tester", "password": "tester",
                        "language": "en"})
                except Error as e:
                    if " 404 " in str(e):
                        return None  # onboarding is not set up yet
                    raise
            code = self.until("onboarding", users, 60)["auth_code"]
            self.token = self.rest("POST", "/auth/token", form={
                "grant_type": "authorization_code", "code": code, "client_id": CLIENT_ID})["access_token"]
            self.token = self.ws("auth/long_lived_access_token", client_name="harness", lifespan=3650)
            self._ws = None
            with open(os.path.join(STATE, "token"), "w", encoding="utf-8") as f:
                f.write(self.token + "\n")
            os.chmod(os.path.join(STATE, "token"), 0o600)
        self.wait_running(max(5, end - time.monotonic()), broker=False)
        self._keep_http()
        entry = self.mqtt_entry()
        if entry is None:
            self._add_mqtt(broker_port)
        elif entry["state"] != "loaded":
            time.sleep(1)
        self.wait_running(max(5, end - time.monotonic()))
        for issue in self.ws("repairs/list_issues")["issues"]:  # about this installation, not about the tests
            self.ws("repairs/ignore_issue", domain=issue["domain"], issue_id=issue["issue_id"], ignore=True)

    def _keep_http(self):
        """Newer releases (2026.11 does) move `http:` from YAML to its own storage as a trial, and revert it
        with a restart after 5 minutes unless it is confirmed. Confirm it."""
        try:
            self.ws("http/config/promote")
        except Error:
            return  # an older release, or already confirmed
        path = os.path.join(STATE, "config", "configuration.yaml")
        text = open(path, encoding="utf-8").read()
        with open(path, "w", encoding="utf-8") as f:
            f.write(re.sub(r"(?m)^http:\n(  .*\n)+", "", text))

    def _add_mqtt(self, port):
        values = {"broker": "127.0.0.1", "port": int(port)}
        required = {"set_client_cert": False, "set_ca_cert": "off"} # where the form gives no default
        if os.environ.get("MQTT_USERNAME"):
            values.update(username=os.environ["MQTT_USERNAME"], password=os.environ.get("MQTT_PASSWORD", ""))

        def fill(schema):
            out = {}
            for f in schema:
                if f["name"] in values:
                    out[f["name"]] = values[f["name"]]
                elif f.get("type") == "expandable":
                    out[f["name"]] = fill(f["schema"])
                elif f.get("required"):
                    out[f["name"]] = f.get("default", required.get(f["name"]))
            return out
        step = self.rest("POST", "/api/config/config_entries/flow", {"handler": "mqtt", "show_advanced_options": False})
        for _ in range(4):
            if step["type"] == "create_entry":
                return
            if step["type"] == "menu":
                data = {"next_step_id": "broker"}
            elif step["type"] == "form" and not step.get("errors"):
                data = fill(step["data_schema"])
            else:
                break
            step = self.rest("POST", "/api/config/config_entries/flow/" + step["flow_id"], data)
        if step["type"] != "create_entry":
            raise Error(f"the MQTT integration was not added: {step}")


def main(args):
    if not args or args[0] in ("-h", "--help", "help"):
        print(__doc__)
        return 0
    cmd, rest = args[0], args[1:]
    h = HA()
    show = lambda o: print(json.dumps(o, indent=2, ensure_ascii=False))
    if cmd == "states":
        for s in h.states(*rest):
            print(f"{s['entity_id']:<45} {s['state']:<20} {s['attributes'].get('friendly_name', '')}")
    elif cmd == "state":
        show(h.state(rest[0]))
    elif cmd == "entities":
        show(h.entities(*rest))
    elif cmd == "devices":
        show(h.devices(*rest))
    elif cmd == "call":
        show(h.call(rest[0], rest[1], json.loads(rest[2]) if len(rest) > 2 else None))
    elif cmd == "wait":
        show(h.wait(rest[0], rest[1], float(rest[2]) if len(rest) > 2 else 10))
    elif cmd == "remove-device":
        h.remove_device(rest[0])
    elif cmd == "ws":
        show(h.ws(rest[0], **(json.loads(rest[1]) if len(rest) > 1 else {})))
    elif cmd == "log":
        print("\n".join(h.log(*rest)))
    elif cmd == "restart":
        h.restart()
    elif cmd == "version":
        print(h.rest("GET", "/api/config")["version"])
    elif cmd == "onboard":
        h.onboard(rest[0])
    else:
        print(__doc__)
        return 2
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (Error, OSError) as e:
        print(f"ha.py: {e}", file=sys.stderr)
        sys.exit(1)
