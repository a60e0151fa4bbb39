#include "load.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { sets = 100, setting = 1 };  // s1 is a range from 0 to 100

struct burst {
    char state[256], health[256];  // topics
    bool is_counting;              // the states of this burst are coming
    int value;
    double settled;
    long writes;  // as last reported in `bridge/health`
    int reports;
};

static void on_message(struct mosquitto *client, void *context, const struct mosquitto_message *message) {
    (void)client;
    struct burst *burst = context;
    char text[4096] = "";
    if (message->payloadlen <= 0 || (size_t)message->payloadlen >= sizeof text) return;
    memcpy(text, message->payload, (size_t)message->payloadlen);
    if (strcmp(message->topic, burst->health) == 0) {
        const char *writes = strstr(text, "\"writes\":");
        if (!writes) fail("%s has no count of writes", burst->health);
        burst->writes = strtol(writes + strlen("\"writes\":"), NULL, 10);
        burst->reports++;
    } else if (strcmp(message->topic, burst->state) == 0) {
        int value = atoi(text);
        if (burst->is_counting && value < burst->value) fail("%s went back from %d to %d", burst->state, burst->value, value);
        if (burst->value != value) burst->settled = now();
        burst->value = value;
    }
}

static void wait_for_reports(struct mosquitto *client, struct burst *burst, int count) {
    double deadline = now() + 10;
    for (int last = burst->reports + count; burst->reports < last;) {
        handle_input(client, 100);
        if (now() > deadline) fail("no report on %s within 10 s", burst->health);
    }
}

static void send_value(struct mosquitto *client, const struct burst *burst, int value) {
    char topic[300], payload[8];
    snprintf(topic, sizeof topic, "%s/set", burst->state);
    snprintf(payload, sizeof payload, "%d", value);
    int result = mosquitto_publish(client, NULL, topic, (int)strlen(payload), payload, 1, false);
    if (result != MOSQ_ERR_SUCCESS) fail("publishing to %s: %s", topic, mosquitto_strerror(result));
}

static void wait_for_value(struct mosquitto *client, const struct burst *burst, int value) {
    double deadline = now() + 30;
    while (burst->value != value) {
        handle_input(client, 100);
        if (now() > deadline) fail("no state %d on %s within 30 s", value, burst->state);
    }
}

void measure_burst(int port, const char *base) {
    struct burst burst = {.value = -1};
    snprintf(burst.state, sizeof burst.state, "%s/a0/s%d", base, setting);
    snprintf(burst.health, sizeof burst.health, "%s/bridge/health", base);
    char filter[256];
    snprintf(filter, sizeof filter, "%s/+/+", base);
    struct mosquitto *client = connect_client(port, filter, 1, 0, &burst, on_message);
    mosquitto_max_inflight_messages_set(client, 0);
    send_value(client, &burst, 0);
    wait_for_value(client, &burst, 0);
    wait_for_reports(client, &burst, 2);

    long writes = burst.writes;
    burst.is_counting = true;
    double started = now();
    for (int value = 1; value <= sets; value++) send_value(client, &burst, value);
    wait_for_value(client, &burst, sets);
    wait_for_reports(client, &burst, 2);  // long enough for a late state to come, and the count is of after the burst
    printf("burst_settled_ms %.0f\n", (burst.settled - started) * 1e3);
    printf("burst_writes %ld\n", burst.writes - writes);
}
