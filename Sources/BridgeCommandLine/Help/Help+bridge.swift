extension Help {
    var run: String {
        """
        Runs the bridge until SIGTERM or SIGINT (Ctrl-C).

        Usage: \(program) run [-c FILE]

        Options:
          -c, --config FILE    the configuration. Without it the first of
        \(standardFiles)

        The bridge waits for its broker for as long as it takes, and logs to standard
        error. A signal stops it within 5 seconds: what is being written is finished,
        and the bridge says that it is offline. A second signal ends it at once.

        """
    }

    var check: String {
        """
        Checks the configuration, without connecting to the broker.

        Usage: \(program) check [-c FILE] [--topics] [--probe]

        Options:
          -c, --config FILE    the configuration. Without it the first of
        \(standardFiles)
          --topics             read every accessory once, and print the retained topics
                               and payloads that the bridge would publish at start
          --probe              read every accessory once, and print a table of its
                               settings with the values found, or what failed and why

        The exit code is 0 when nothing is wrong, 2 when the configuration has faults,
        which are all printed, and 1 when an accessory can't be read (--topics and
        --probe).

        """
    }

    var demo: String {
        """
        Starts a private broker on a free port of this machine and a bridge with a few
        accessories, and prints commands to try. Ctrl-C ends both.

        Usage: \(program) demo

        It needs mosquitto; nothing else on this machine is touched.

        """
    }
}
