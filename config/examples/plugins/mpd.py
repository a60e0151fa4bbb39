#!/usr/bin/env python3
"""A plug-in of settings2mqtt: the play modes of a Music Player Daemon, with a notice whenever anybody changes them."""

import json
import os
import socket
import sys
import threading
import time

ADDRESS = (os.environ.get("MPD_HOST", "127.0.0.1"), int(os.environ.get("MPD_PORT", "6600")))

SETTINGS = {
    "random": {"kind": "toggle", "label": "Random order", "on": "1", "off": "0"},
    "repeat": {"kind": "toggle", "label": "Repeat", "on": "1", "off": "0"},
    "single": {
        "kind": "enumeration",
        "label": "Stop after each song",
        "options": [
            {"value": "off", "label": "Never", "code": "0"},
            {"value": "on", "label": "Always", "code": "1"},
            {"value": "once", "label": "After this one", "code": "oneshot"},
        ],
    },
    "crossfade": {"kind": "range", "label": "Crossfade", "min": 0, "max": 30, "integer": True, "unit": "s"},
    "state": {"kind": "information", "label": "State"},
}


class Player:
    """A connection to the player."""

    def __init__(self, timeout):
        self.stream = socket.create_connection(ADDRESS, timeout).makefile("rw", encoding="utf-8", newline="\n")
        if not self.stream.readline().startswith("OK MPD"):
            raise ConnectionError("there is no Music Player Daemon at %s:%d" % ADDRESS)

    def ask(self, command):
        self.stream.write(command + "\n")
        self.stream.flush()
        answer = {}
        for line in self.stream:
            if line == "OK\n":
                return answer
            if line.startswith("ACK"):
                raise ValueError("the player refuses it: " + line.strip())
            key, _, value = line.rstrip("\n").partition(": ")
            answer[key] = value
        raise ConnectionError("the player has closed the connection")


def answer(request):
    if request["request"] == "describe":
        return {"settings": SETTINGS}
    player = Player(timeout=5)
    if request["request"] == "read":
        status = player.ask("status")
        values = {name: status.get(name) for name in ("random", "repeat", "single", "state")}
        values["crossfade"] = int(status.get("xfade", 0))
        return {"values": values}
    for name, value in request["changes"].items():
        player.ask("%s %s" % (name, value))
    return {}


def say(message):
    # One write for a line, so that the two threads can't mix theirs.
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def watch():
    while True:
        try:
            player = Player(timeout=None)
            while True:
                player.ask("idle options player")
                say({"notice": "changed"})
        except OSError as error:
            print("watching the player: %s" % error, file=sys.stderr)
            time.sleep(5)


threading.Thread(target=watch, daemon=True).start()
for line in sys.stdin:
    request = json.loads(line)
    try:
        result = answer(request)
    except (OSError, ValueError) as error:
        result = {"error": str(error)}
    say({"id": request["id"], **result})
