"""Checks, one line each, and the words they end with."""
import time
import traceback


class Report:
    def __init__(self):
        self.passed = self.failed = 0

    def check(self, name, is_right, got=""):
        if is_right:
            self.passed += 1
            print(f"ok    {name}", flush=True)
        else:
            self.failed += 1
            print(f"FAIL  {name}: {got}", flush=True)

    def equal(self, name, got, wanted):
        self.check(name, got == wanted, f"{got!r}, not {wanted!r}")

    def becomes(self, name, read, wanted, timeout=15):
        """Waits until `read()` returns what is wanted; a function as `wanted` says whether it is that."""
        is_wanted = wanted if callable(wanted) else lambda got: got == wanted
        deadline = time.monotonic() + timeout
        while not is_wanted(got := read()):
            if time.monotonic() > deadline:
                wish = "as wanted" if callable(wanted) else repr(wanted)
                self.check(name, False, f"{got!r}, not {wish}, after {timeout} s")
                return False
            time.sleep(0.05)
        self.check(name, True)
        return True

    def group(self, test, *arguments):
        """Runs a function with checks in it; what it raises is a failure of its own."""
        name = test.__doc__ or test.__name__
        print(f"\n# {name}", flush=True)
        started = time.monotonic()
        try:
            test(*arguments)
        except Exception as error:  # whatever it is, the other groups are run
            self.check(name, False, "".join(traceback.format_exception(error)).strip())
        print(f"#     {time.monotonic() - started:.1f} s", flush=True)
