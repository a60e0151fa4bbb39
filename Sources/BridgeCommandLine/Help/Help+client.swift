// The commands that talk to a bridge that runs.
extension Help {
    var list: String {
        """
        Lists the accessories of the bridge, their settings and the values read last.

        Usage: \(program) list [ACC] [OPTIONS]

        Arguments:
          ACC                  one accessory by its id; without it all of them

        Options:
          --json               print the answer's data as JSON, on one line
        \(timeout(30))
        \(broker)

        """
    }

    var get: String {
        """
        Reads an accessory anew and prints its values.

        Usage: \(program) get ACC [SET] [OPTIONS]

        Arguments:
          ACC                  the accessory's id
          SET                  the setting; then only its value is printed, as it
                               stands on its topic: ON, 21.5, or a text

        Options:
          --json               print the answer's data as JSON, on one line
        \(timeout(30))
        \(broker)

        The exit code is 1 when SET can't be read. Control characters in a text are
        written as \\n or \\u{7}; --json gives the text exactly.

        """
    }

    var set: String {
        """
        Changes settings and prints them as they are then read back.

        Usage: \(program) set ACC SET VALUE [OPTIONS]
               \(program) set ACC SET=VALUE... [OPTIONS]

        Arguments:
          ACC                  the accessory's id
          SET VALUE            a setting and its new value: on, 21.5, or a text
          SET=VALUE...         several settings as one change, all valid or none is sent

        Options:
          --json               print the answer's data as JSON, on one line
        \(timeout(30))
        \(broker)

        Behind ACC only these long options are options; any other word is a setting or
        a value, such as the -12 in 'set vent offset -12'. After -- every word is.
        A word is split at its first '='. A setting with '=' in its name is set with
        SET VALUE. The exit code is 1 when the change is refused or fails.

        """
    }

    var watch: String {
        """
        Prints changes as they come, one on each line, until Ctrl-C.

        Usage: \(program) watch [ACC [SET]] [OPTIONS]

        Arguments:
          ACC                  one accessory by its id; without it all of them
          SET                  one of its settings

        Options:
          --json               print each change as a JSON object
        \(broker)

        A line has the time (UTC), the accessory, the setting and the value. What is
        no value stands in brackets: (offline), (unavailable), (unreadable or empty).
        It goes on while the bridge is offline, and connects again when the connection
        ends.

        """
    }

    var healthcheck: String {
        """
        Asks the bridge whether it is well; for containers and monitoring.

        Usage: \(program) healthcheck [OPTIONS]

        Options:
        \(timeout(5))
        \(broker)

        Prints one line. The exit code is 0 when the bridge is online and connected, 1
        when it says that it is not well, and 3 when none answers.

        """
    }

    private func timeout(_ seconds: Int) -> String {
        "  --timeout TIME       how long to wait for an answer: 5s, 1m (default: \(seconds)s)"
    }

    private var broker: String {
        """
          -c, --config FILE    the configuration that names the broker. Without it, and
                               without --server, the first of
        \(standardFiles)
          --server ADDRESS     the broker: mqtt://HOST[:PORT] or mqtts://HOST[:PORT]
          --base-topic TOPIC   the base topic of the bridge
          --user NAME          the user at the broker
          --password-file FILE
                               the file that holds the user's password
          --ca FILE            the certificates to trust, with mqtts://
        """
    }
}
