#include "load.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { value = 1, setting_availability = 2 };                 // topics of a setting
enum { availability = 1, accessory_json = 2, descriptors = 4 };  // topics of an accessory

struct start {
    const char *base;
    int accessories, settings;
    int missing;  // topics that have not been published yet
    unsigned char *of_accessory, *of_setting;
};

static void mark(struct start *start, unsigned char *seen, int topic) {
    if (*seen & topic) return;
    *seen |= (unsigned char)topic;
    start->missing--;
}

static void on_message(struct mosquitto *client, void *context, const struct mosquitto_message *message) {
    (void)client;
    struct start *start = context;
    size_t length = strlen(start->base);
    const char *topic = message->topic;
    if (!message->retain || message->payloadlen == 0 || strncmp(topic + length, "/a", 2) != 0) return;
    bool is_online = message->payloadlen == 6 && memcmp(message->payload, "online", 6) == 0;

    char *end;
    long accessory = strtol(topic + length + 2, &end, 10);
    if (accessory >= start->accessories) return;
    unsigned char *seen = &start->of_accessory[accessory];
    if (*end == '\0') mark(start, seen, accessory_json);
    else if (strcmp(end, "/settings") == 0) mark(start, seen, descriptors);
    else if (strcmp(end, "/availability") == 0 && is_online) mark(start, seen, availability);
    if (strncmp(end, "/s", 2) != 0 || end[2] < '0' || end[2] > '9') return;

    long setting = strtol(end + 2, &end, 10);
    if (setting >= start->settings) return;
    seen = &start->of_setting[accessory * start->settings + setting];
    if (*end == '\0') mark(start, seen, value);
    else if (strcmp(end, "/availability") == 0 && is_online) mark(start, seen, setting_availability);
}

/// Whether the broker has logged a connection since the last call.
static bool has_connection(int log) {
    char text[65536];
    ssize_t count = read(log, text, sizeof text - 1);
    text[count > 0 ? count : 0] = '\0';
    return strstr(text, "New client connected") != NULL;
}

void measure_start(int port, const char *base, int accessories, int settings, const char *log_path) {
    int total = accessories * settings;
    struct start start = {base, accessories, settings, 2 * total + 3 * accessories,
                          calloc((size_t)accessories, 1), calloc((size_t)total, 1)};
    if (!start.of_accessory || !start.of_setting) fail("no memory for %d settings", total);
    char filter[256];
    snprintf(filter, sizeof filter, "%s/#", base);
    struct mosquitto *client = connect_client(
        port, filter, 0, MQTT_SUB_OPT_RETAIN_AS_PUBLISHED | MQTT_SUB_OPT_SEND_RETAIN_NEVER, &start, on_message);
    int log = open(log_path, O_RDONLY);
    if (log < 0) fail("can't read the broker's log %s", log_path);
    lseek(log, 0, SEEK_END);
    puts("ready");
    fflush(stdout);

    double connected = 0;
    double deadline = now() + 60;
    while (start.missing > 0) {
        handle_input(client, 1);
        if (connected == 0 && has_connection(log)) connected = now();
        if (now() > deadline) fail("%d of %s's topics are not published within 60 s", start.missing, base);
    }
    printf("retained_ms %.0f\n", (now() - connected) * 1e3);
    close(log);
}
