"""The accessories that the tests use."""
from bench import Device

MODES = [{"value": "heat", "label": "Heating"}, {"value": "cool", "label": "Cooling"},
         {"value": "auto", "label": "Automatic"}]
# Values and labels that mean something to a template, to JSON, or to Home Assistant.
ODD_OPTIONS = [
    {"value": "it's", "label": "It's \"quoted\""}, {"value": "{{ 1 }}", "label": "{{ braces }}"},
    {"value": "{% raw %}", "label": "50 % {# c #} {% if %}"}, {"value": "new\nline", "label": "two\nlines"},
    {"value": "back\\slash", "label": "back\\n"}, {"value": "Ü", "label": "Übermäßig 🛋️"},
    {"value": "true", "label": "True"}, {"value": "1", "label": "0x10"}, {"value": "edge", "label": " wide "},
]
UNITS = ["d", "h", "min", "s", "ms", "W", "kW", "Wh", "kWh", "V", "mV", "A", "mA", "Hz", "kHz", "Pa", "hPa", "kPa", "bar",
         "mbar", "psi", "lx", "%", "ppm", "dB", "lm", "m", "mm", "l", "µm", "€", "x²"]


def toggle(identifier, label, value=False):
    return {"id": identifier, "kind": "toggle", "label": label, "value": value}


def number(identifier, label, value, low=None, high=None, step=None, unit=None, integer=False):
    return {"id": identifier, "kind": "range", "label": label, "value": value, "min": low, "max": high, "step": step,
            "unit": unit, "integer": integer}


def choice(identifier, label, value, options):
    return {"id": identifier, "kind": "enumeration", "label": label, "value": value, "options": options}


def text(identifier, label, value):
    return {"id": identifier, "kind": "text", "label": label, "value": value}


def information(identifier, label, value):
    return {"id": identifier, "kind": "information", "label": label, "value": value}


def options(*pairs):
    return [{"value": value, "label": label} for value, label in pairs]


class Devices:
    def __init__(self, folder):
        def device(identifier, name, settings, **configuration):
            return Device(folder, identifier, name, settings, **configuration)

        self.thermostat = device("lr-thermo", "Living Room", [
            toggle("power", "Living Room Power", True),
            number("target", "Target temperature", 21, 5, 30, 0.5, "°C"),
            choice("mode", "Mode", "heat", MODES),
            text("display_text", "Display text", "Hello"),
            information("current", "Current", "20.5"),
        ], room="Lounge", manufacturer="Acme", model="T1", firmware="1.4", hw_version="B", serial_number="SN42")

        self.numbers = device("numbers", "Numbers", [
            number("interval", "Interval", 900, 10, 3600, 10, "s"),
            number("offset", "Offset", -12, -20, 0, 1, integer=True),
            number("level", "Level", 40, 0, 100, 1, "%", integer=True),
            number("fine", "Fine", 0.5, 0, 1, 0.0001),
            number("open", "Open", 3, integer=True),
            number("fahrenheit", "Fahrenheit", 68, 32, 104, 1, "F"),
            number("degrees", "Degrees", 20, 0, 100, 1, "degC"),
            number("celsius", "Celsius", 20, 0, 100, 1, "C"),
            number("kelvin", "Kelvin", 293, 273, 373, 1, "kelvin"),
            number("speed", "Speed", 3, 0, 10, 1, "furlong/fortnight"),
            number("bare", "Bare", 3, 0, 10, 1),
        ])
        # Home Assistant complains of units that do not go with their device class.
        self.units = device("units", "Units", [number(f"unit{n}", unit, 3, 0, 10, 1, unit)
                                               for n, unit in enumerate(UNITS)])
        self.choices = device("choices", "Choices", [
            choice("odd", "Odd options", "it's", ODD_OPTIONS),
            choice("none", "Effect", "rainbow", options(("none", "None"), ("rainbow", "Rainbow"))),
            choice("off", "Filter", "a", options(("off", "none"), ("a", "Anisotropic"))),
            choice("same", "Same labels", "b", options(("a", "Same"), ("b", "Same"))),
            choice("blank", "Blank label", "b", options(("a", ""), ("b", "B"))),
        ])
        self.named = [device(identifier, name, [toggle("power", "Power")]) for identifier, name in [
            ("kueche", "Küche Süd"), ("flex", "flex 2.5g"), ("pump", "Pump #1"), ("Delta +1", "Delta +1"),
            ("客厅", "客厅"), ("кухня", "Кухня"), ("مطبخ", "مطبخ"), ("sofa", "🛋️"), ("a/b", "Slash / Backslash \\"),
            ("a_b", "Under_score"), ("a b", "Ünder {{ braces }}"),
        ]]
        self.topics = device("odd", "Odd identifiers", [
            toggle("panel/brightness", "Panel"), toggle("set", "Set"), toggle("ünd so", "Und so"),
            toggle("Eco", "Eco"), toggle("eco", "eco"), text("it's", "Quote", "q"), information('"{{x}}', "Braces", "b"),
        ])
        self.twins = [device(f"lamp-{n}", "Lamp", [toggle("power", "Power"), toggle("name", "Lamp")]) for n in (1, 2)]
        self.other = device("other", "Other", [toggle("power", "Power", True)])
        self.all = [self.thermostat, self.numbers, self.units, self.choices, *self.named, self.topics, *self.twins, self.other]

    def configuration(self, without=()):
        return [d.configuration for d in self.all if d not in without] + [DEMO]


# The thermostat of the demo: what most people see first.
DEMO = {"id": "hallway", "name": "Hallway thermostat", "room": "Hallway", "manufacturer": "Acme", "model": "T1",
        "firmware": "1.4.0", "category": "thermostat", "provider": {"type": "simulated", "model": "thermostat"}}
