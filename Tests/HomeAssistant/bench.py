"""What the tests run on: a broker, Home Assistant, the bridge, and the devices behind it."""
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import uuid

HERE = os.path.dirname(os.path.abspath(__file__))
HARNESS = os.path.join(HERE, "harness")
sys.path.insert(0, HARNESS)
BASE = "settings2mqtt"
PREFIX = "homeassistant"


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def wait_until(what, condition, timeout=10):
    """Waits until the condition holds; returns what it returned."""
    end = time.monotonic() + timeout
    while not (result := condition()):
        if time.monotonic() > end:
            raise AssertionError(f"not within {timeout} s: {what}")
        time.sleep(0.05)
    return result


class Broker:
    """A mosquitto as Debian configures it, but for its port and that it forgets everything when it stops."""

    def __init__(self, folder):
        self.port, self.folder, self.process = free_port(), folder, None
        self.config = os.path.join(folder, "mosquitto.conf")
        with open(self.config, "w", encoding="utf-8") as f:
            f.write(f"listener {self.port} 127.0.0.1\nallow_anonymous true\npersistence false\n")
        self.start()

    def start(self):
        log = open(os.path.join(self.folder, "mosquitto.log"), "ab")
        env = dict(os.environ, PATH=os.environ["PATH"] + ":/usr/sbin")
        self.process = subprocess.Popen(["mosquitto", "-c", self.config], stdout=log, stderr=log, env=env)
        log.close()

        def answers():
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return True
        wait_until("mosquitto takes connections", answers)

    def stop(self):
        end(self.process)

    def dropped(self):
        """Lines of its log about messages that a client did not take in time."""
        with open(os.path.join(self.folder, "mosquitto.log"), encoding="utf-8") as f:
            return [line.strip() for line in f if "dropped" in line]

    def publish(self, topic, payload, retain=False):
        command = ["mosquitto_pub", "-p", str(self.port), "-h", "127.0.0.1", "-q", "1", "-t", topic, "-s"]
        subprocess.run(command + (["-r"] if retain else []), input=payload.encode(), check=True)

    def retained(self, *filters):
        """Topics and payloads of what lies retained."""
        marker = f"marker/{uuid.uuid4()}"
        command = ["mosquitto_sub", "-p", str(self.port), "-h", "127.0.0.1", "-q", "0", "-F", "%j", "-t", marker]
        for each in filters:
            command += ["-t", each]
        found, reader = {}, subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        # What is retained comes with the subscription; when a marker comes, all of that has come.
        probe = threading.Thread(target=self._mark, args=(marker, reader), daemon=True)
        probe.start()
        for line in reader.stdout:
            message = json.loads(line)
            if message["topic"] == marker:
                break
            if message["retain"]:
                found[message["topic"]] = message.get("payload", "")
        end(reader)
        return found

    def _mark(self, marker, reader):
        while reader.poll() is None:
            self.publish(marker, "x")
            time.sleep(0.05)


class Observer:
    """Notes every message that goes over the broker."""

    def __init__(self, broker):
        self.messages, self.lock = [], threading.Lock()
        self.process = subprocess.Popen(
            ["mosquitto_sub", "-p", str(broker.port), "-h", "127.0.0.1", "-q", "0", "-F", "%j", "-t", "#"],
            stdout=subprocess.PIPE, text=True)
        threading.Thread(target=self._read, daemon=True).start()
        marker = f"marker/{uuid.uuid4()}"

        def listens():
            broker.publish(marker, "x")
            return self.heard(marker)
        wait_until("mosquitto_sub listens", listens)
        self.forget()

    def _read(self):
        for line in self.process.stdout:
            message = json.loads(line)
            with self.lock:
                self.messages.append((message["topic"], message.get("payload", ""), bool(message["retain"])))

    def heard(self, topic=None):
        """Messages since `forget()`, in their order; those of one topic, or all."""
        with self.lock:
            return [m for m in self.messages if topic is None or m[0] == topic]

    def forget(self):
        with self.lock:
            self.messages.clear()

    def close(self):
        end(self.process)


class Device:
    """A device whose settings, values and moods a test decides on. See Tests/HomeAssistantExtension."""

    def __init__(self, folder, identifier, name, settings, **configuration):
        self.id, self.uuid = identifier, str(uuid.uuid4()).upper()
        self.configuration = {"id": identifier, "name": name, "uuid": self.uuid, **configuration}
        self.path = os.path.join(folder, self.uuid + ".json")
        self._write({"settings": settings})

    def _write(self, contents):
        with open(self.path + ".new", "w", encoding="utf-8") as f:
            json.dump(contents, f)
        os.replace(self.path + ".new", self.path)

    def _read(self):
        with open(self.path, encoding="utf-8") as f:
            return json.load(f)

    def settings(self):
        return self._read()["settings"]

    def behave(self, **moods):
        """Changes `readFailure`, `writeFailure`, `ignoresWrites`, `writeDelay`; None takes one back."""
        self._write({**self._read(), **moods})

    def change(self, setting, **fields):
        contents = self._read()
        for each in contents["settings"]:
            if each["id"] == setting:
                each.update(fields)
        self._write(contents)

    def remove(self, setting):
        """Returns the setting as it was."""
        contents = self._read()
        gone = next(s for s in contents["settings"] if s["id"] == setting)
        contents["settings"].remove(gone)
        self._write(contents)
        return gone

    def add(self, setting):
        contents = self._read()
        contents["settings"].append(setting)
        self._write(contents)


class Bridge:
    """The test's Home extension, run as people run it."""

    def __init__(self, program, folder, broker):
        self.program, self.folder, self.broker, self.process = program, folder, broker, None
        self.devices = os.path.join(folder, "devices")
        os.makedirs(self.devices, exist_ok=True)
        self.log = os.path.join(folder, "bridge.log")

    def start(self, accessories, **configuration):
        path = os.path.join(self.folder, "settings2mqtt.json")
        contents = {"mqtt": {"server": f"mqtt://127.0.0.1:{self.broker.port}", "base_topic": BASE},
                    "refresh_interval": 0, "timeout": "5s", "accessories": accessories, **configuration}
        with open(path, "w", encoding="utf-8") as f:
            json.dump(contents, f, ensure_ascii=False)
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [self.program, "run", "-c", path], env=dict(os.environ, TEST_DEVICES=self.devices), stderr=log,
                stdout=log)

        def is_online():
            if self.process.poll() is not None:
                raise AssertionError(f"the bridge ended with {self.process.returncode}; see {self.log}")
            return self.broker.retained(f"{BASE}/bridge/state").get(f"{BASE}/bridge/state") == "online"
        wait_until("the bridge is online", is_online)

    def stop(self):
        end(self.process, 10)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def refresh(self, accessory=None):
        request = {"accessory": accessory} if accessory else {}
        self.broker.publish(f"{BASE}/bridge/request/refresh", json.dumps(request))

    def writes(self, device):
        """The changes that the device was asked to make."""
        with contextlib.suppress(FileNotFoundError), open(
                os.path.join(self.devices, "writes.log"), encoding="utf-8") as f:
            lines = [json.loads(line) for line in f if line.endswith("\n")]
            return [line["changes"] for line in lines if line["accessory"] == device.uuid]
        return []


def end(process, timeout=5):
    """Ends a process that this program started."""
    if process is None or process.poll() is not None:
        return
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(timeout)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
