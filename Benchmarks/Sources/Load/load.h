// Sets the settings `s0`, `s1`, … of the accessories `a0`, `a1`, … of one contestant and waits for the states it publishes.
// Even settings are toggles, odd ones ranges from 0 to 100.
#pragma once
#include <mosquitto.h>
#include <mqtt_protocol.h>
#include <stdbool.h>

struct setting {
    int value;         // the last one seen or sent
    bool is_awaited;   // a set was sent, its state has not come yet
    double sent;       // when, in seconds
};

struct load {
    struct mosquitto *client;
    const char *base;
    int accessories, settings;  // settings of one accessory
    int qos;
    int next;                   // which setting is set next, round robin
    int awaited;                // sets whose state has not come yet
    long applied;               // sets whose state has come
    double last_latency;        // of the newest applied set, in seconds
    double last_progress;
    struct setting *table;
};

/// Says what went wrong and ends the process with 1.
_Noreturn void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
/// Monotonic time in seconds.
double now(void);

/// Connects, waits for the acknowledgement of `filter`'s subscription, and hands every message to `on_message`.
struct mosquitto *connect_client(
    int port, const char *filter, int qos, int options, void *context,
    void (*on_message)(struct mosquitto *, void *, const struct mosquitto_message *));
/// Handles what the broker sends, waiting for at most `milliseconds`.
void handle_input(struct mosquitto *client, int milliseconds);

/// Connects and sets every setting once, so that its value is known.
void load_open(struct load *load, int port);
/// Changes the next setting.
void load_set_next(struct load *load);
/// Waits until at most `limit` sets are without their state. Fails after ten seconds without progress.
void load_wait(struct load *load, int limit);

/// One set at a time: `latency_p50_us`, `latency_p99_us` and `latency_max_us`.
void measure_latency(struct load *load, int count);
/// At most `window` sets under way, for some seconds: `sets_per_second`, and `cpu_ms_per_1000_sets` of process `pid`.
void measure_sustained(struct load *load, int window, double seconds, int pid);
/// Waits until a bridge that starts now has published everything, retained: `retained_ms` after it connected to the broker,
/// which logs to the file `log`.
void measure_start(int port, const char *base, int accessories, int settings, const char *log);
/// Sends 100 values of one setting of a bridge with one accessory at once: `burst_settled_ms`, when the last one is
/// published, and `burst_writes`, how many changes the accessory was given. Fails if a state goes back to an older value.
void measure_burst(int port, const char *base);
