# Prints the figures of Benchmarks/run as a table: the median of the rounds of each contestant, their ratio, the target.
# Reads lines "row contestant value".

{
    key = $1 " " $2
    values[key, ++count[key]] = $3
}

function median(row, contestant,    key, n, sorted, i, j, value) {
    key = row " " contestant
    n = count[key]
    if (n == 0) return ""
    for (i = 1; i <= n; i++) {
        value = values[key, i]
        for (j = i - 1; j > 0 && sorted[j] > value; j--) sorted[j + 1] = sorted[j]
        sorted[j + 1] = value
    }
    return n % 2 ? sorted[(n + 1) / 2] : (sorted[n / 2] + sorted[n / 2 + 1]) / 2
}

function line(title, echo, bridge, ratio, target, verdict) {
    printf "%-46s %10s %10s %7s  %-22s %s\n", title, echo, bridge, ratio, target, verdict
}

# A row whose target is a ratio to the echo: at most `limit`, or at least where `isFloor`. Without a limit there is no target.
function compare(title, row, format, limit, isFloor,    echo, bridge, ratio, verdict, target) {
    echo = median(row, "echo")
    bridge = median(row, "bridge")
    ratio = bridge / echo
    if (limit) {
        target = (isFloor ? ">= " : "<= ") limit " x"
        verdict = (isFloor ? ratio >= limit : ratio <= limit) ? "reached" : "MISSED"
    }
    line(title, sprintf(format, echo), sprintf(format, bridge), sprintf("%.2f", ratio), target, verdict)
}

# A row with an absolute target.
function hold(title, bridge, format, limit, unit) {
    line(title, "", sprintf(format, bridge), "", "<= " limit " " unit, bridge <= limit ? "reached" : "MISSED")
}

# A row of the living devices alone: all alive, and with half of them dead, by the way in which they are.
function beside(title, row, factor, format,    alive, number, dead) {
    alive = median(row, "alive") * factor
    printf "%-46s %10s", title, sprintf(format, alive)
    for (number = 1; number <= 3; number++) {
        dead = median(row, kinds[number]) * factor
        printf " %11s", sprintf(format, dead)
    }
    printf "\n"
}

function half_dead() {
    split("silent refusing unreachable", kinds, " ")
    printf "%-46s %10s %11s %11s %11s\n", "100 devices over HTTP, half of them", "alive", kinds[1], kinds[2], kinds[3]
    beside("set to state, p50, us", "http_latency_p50_us", 1, "%.0f")
    beside("set to state, p99, us", "http_latency_p99_us", 1, "%.0f")
    beside("set to state, max, us", "http_latency_max_us", 1, "%.0f")
    beside("100 settings retained after connecting, s", "http_retained_ms", 0.001, "%.2f")
    beside("threads when these are there", "http_threads", 1, "%.0f")
    beside("resident memory after load, MB", "http_memory_kb", 0.001024, "%.1f")
}

END {
    half_dead()
    if (!count["qos0_latency_p50_us bridge"]) exit
    print ""
    line("", "C echo", "bridge", "ratio", "target", "")
    compare("set to state, QoS 0, p50, us", "qos0_latency_p50_us", "%.0f", 1.3)
    compare("set to state, QoS 0, p99, us", "qos0_latency_p99_us", "%.0f", 2)
    compare("set to state, QoS 1, p50, us", "qos1_latency_p50_us", "%.0f")
    compare("set to state, QoS 1, p99, us", "qos1_latency_p99_us", "%.0f")
    compare("sets per second, QoS 0", "qos0_sets_per_second", "%.0f", 0.95, 1)
    compare("sets per second, QoS 1", "qos1_sets_per_second", "%.0f")
    compare("processor time per 1,000 sets, QoS 0, ms", "qos0_cpu_ms_per_1000_sets", "%.1f", 1.5)
    compare("processor time per 1,000 sets, QoS 1, ms", "qos1_cpu_ms_per_1000_sets", "%.1f")
    hold("p50 at QoS 1 by p50 at QoS 0", median("qos1_latency_p50_us", "bridge") / median("qos0_latency_p50_us", "bridge"), "%.2f", 2, "")
    hold("p50 beside a hanging accessory by p50 without", median("qos0_latency_p50_us", "hanging") / median("qos0_latency_p50_us", "bridge"), "%.2f", 1.1, "")
    hold("100 sets at once, slow device: settled, ms", median("slow_burst_settled_ms", "bridge"), "%.0f", 200, "ms")
    hold("100 sets at once, slow device: writes", median("slow_burst_writes", "bridge"), "%.0f", 5, "")
    hold("resident memory after load, 500 settings, MB", median("memory_500_kb", "bridge") / 1000 * 1.024, "%.1f", 30, "MB")
    hold("resident memory, each further setting, KB", median("memory_each_bytes", "bridge") / 1000, "%.2f", 1.5, "KB")
    hold("2,000 settings retained after connecting, s", median("start_retained_ms", "bridge") / 1000, "%.2f", 1, "s")
    hold("idle, 100 accessories, % of a core", median("idle_percent", "bridge"), "%.2f", 0.2, "%")
}
