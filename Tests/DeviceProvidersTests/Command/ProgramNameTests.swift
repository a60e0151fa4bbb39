import Testing

@testable import DeviceProviders

@Suite("What programs are called in sentences") struct ProgramNameTests {
    @Test(
        "An interpreter's script gives the name",
        arguments: [
            (["mpc", "status"], "mpc"), (["/usr/bin/mpc", "status"], "mpc"), (["./lampctl"], "lampctl"),
            (["python3", "plugins/lamp.py", "--port", "/dev/ttyUSB0"], "lamp.py"), (["python3"], "python3"),
            (["/usr/bin/python3.11", "-u", "lamp.py"], "lamp.py"),
            (["python3", "-W", "ignore", "-Bu", "a/lamp.py"], "lamp.py"),
            (["python3", "-m", "lamp"], "lamp"), (["python3", "-c", "import lamp", "x"], "python3"),
            (["sh", "x.sh"], "x.sh"), (["bash", "-e", "x.sh"], "x.sh"), (["sh", "-ec", "exit 1", "sh"], "sh"),
            (["bash", "-o", "pipefail", "x.sh"], "x.sh"), (["node", "--require", "./a.js", "b.js"], "b.js"),
            (["perl", "-e", "exit"], "perl"), (["perl", "-w", "lamp.pl"], "lamp.pl"),
            (["env", "python3", "lamp.py"], "lamp.py"), (["/usr/bin/env", "-i", "A=1", "sh", "x.sh"], "x.sh"),
            (["env", "A=1"], "env"), (["env", "mpc", "status"], "mpc"), (["pythonista", "a.py"], "pythonista"),
        ])
    func name(_ arguments: [String], _ name: String) {
        #expect(Launch(arguments: arguments).name == name)
    }
}
