#include "load.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// The value of a state payload, -1 for anything else.
static int parse_value(const struct mosquitto_message *message) {
    char text[8] = "";
    if (message->payloadlen <= 0 || (size_t)message->payloadlen >= sizeof text) return -1;
    memcpy(text, message->payload, (size_t)message->payloadlen);
    if (strcmp(text, "ON") == 0) return 1;
    if (strcmp(text, "OFF") == 0) return 0;
    char *end;
    long value = strtol(text, &end, 10);
    return *end == '\0' ? (int)value : -1;
}

/// The setting whose state topic `topic` is, NULL for other topics.
static struct setting *setting_of(const struct load *load, const char *topic) {
    size_t length = strlen(load->base);
    if (strncmp(topic, load->base, length) != 0 || strncmp(topic + length, "/a", 2) != 0) return NULL;
    char *end;
    long accessory = strtol(topic + length + 2, &end, 10);
    if (strncmp(end, "/s", 2) != 0) return NULL;
    char *start = end + 2;
    long setting = strtol(start, &end, 10);
    bool is_known = end != start && *end == '\0' && accessory < load->accessories && setting < load->settings;
    return is_known ? &load->table[accessory * load->settings + setting] : NULL;
}

static void on_state(struct mosquitto *client, void *context, const struct mosquitto_message *message) {
    (void)client;
    struct load *load = context;
    struct setting *setting = setting_of(load, message->topic);
    if (!setting || !setting->is_awaited || parse_value(message) != setting->value) return;
    setting->is_awaited = false;
    load->last_progress = now();
    load->last_latency = load->last_progress - setting->sent;
    load->awaited--;
    load->applied++;
}

void load_set_next(struct load *load) {
    int index = load->next;
    load->next = (index + 1) % (load->accessories * load->settings);
    int number = index % load->settings;
    struct setting *setting = &load->table[index];
    if (setting->is_awaited) fail("%s/a%d/s%d is set again before its state came", load->base, index / load->settings, number);

    char topic[256], payload[8];
    snprintf(topic, sizeof topic, "%s/a%d/s%d/set", load->base, index / load->settings, number);
    if (number % 2 == 0) {
        setting->value = !setting->value;
        snprintf(payload, sizeof payload, "%s", setting->value ? "ON" : "OFF");
    } else {
        setting->value = (setting->value + 1) % 101;
        snprintf(payload, sizeof payload, "%d", setting->value);
    }
    setting->is_awaited = true;
    load->awaited++;
    setting->sent = now();
    int result = mosquitto_publish(load->client, NULL, topic, (int)strlen(payload), payload, load->qos, false);
    if (result != MOSQ_ERR_SUCCESS) fail("publishing to %s: %s", topic, mosquitto_strerror(result));
}

void load_wait(struct load *load, int limit) {
    load->last_progress = now();
    while (load->awaited > limit) {
        handle_input(load->client, 100);
        if (now() - load->last_progress < 10) continue;
        for (int index = 0; index < load->accessories * load->settings; index++) {
            if (!load->table[index].is_awaited) continue;
            fail("no state %d on %s/a%d/s%d within 10 s, nor on %d other topics", load->table[index].value, load->base,
                 index / load->settings, index % load->settings, load->awaited - 1);
        }
    }
}

void load_open(struct load *load, int port) {
    char filter[256];
    snprintf(filter, sizeof filter, "%s/+/+", load->base);
    int total = load->accessories * load->settings;
    load->table = calloc((size_t)total, sizeof *load->table);
    if (!load->table) fail("no memory for %d settings", total);
    load->client = connect_client(port, filter, load->qos, MQTT_SUB_OPT_SEND_RETAIN_NEVER, load, on_state);
    for (int count = 0; count < total; count++) {
        load_set_next(load);
        load_wait(load, 0);
    }
}
