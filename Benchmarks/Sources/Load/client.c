#include "load.h"
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static bool is_subscribed;

void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("Load: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}

double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void on_subscribe(struct mosquitto *client, void *context, int id, int count, const int *granted) {
    (void)client, (void)context, (void)id, (void)count, (void)granted;
    is_subscribed = true;
}

void handle_input(struct mosquitto *client, int milliseconds) {
    int result = mosquitto_loop(client, milliseconds, 1);
    if (result != MOSQ_ERR_SUCCESS) fail("the connection broke: %s", mosquitto_strerror(result));
    // The broker must never wait for an acknowledgement of this side. Linux forgets the option.
    int on = 1;
    setsockopt(mosquitto_socket(client), IPPROTO_TCP, TCP_QUICKACK, &on, sizeof on);
}

struct mosquitto *connect_client(
    int port, const char *filter, int qos, int options, void *context,
    void (*on_message)(struct mosquitto *, void *, const struct mosquitto_message *)) {
    mosquitto_lib_init();
    struct mosquitto *client = mosquitto_new(NULL, true, context);
    if (!client) fail("no memory for the client");
    mosquitto_int_option(client, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5);
    mosquitto_int_option(client, MOSQ_OPT_TCP_NODELAY, 1);
    mosquitto_subscribe_callback_set(client, on_subscribe);
    mosquitto_message_callback_set(client, on_message);
    int result = mosquitto_connect(client, "127.0.0.1", port, 60);
    if (result != MOSQ_ERR_SUCCESS) fail("connecting to port %d: %s", port, mosquitto_strerror(result));
    result = mosquitto_subscribe_v5(client, NULL, filter, qos, options, NULL);
    if (result != MOSQ_ERR_SUCCESS) fail("subscribing to %s: %s", filter, mosquitto_strerror(result));
    double deadline = now() + 10;
    while (!is_subscribed) {
        handle_input(client, 100);
        if (now() > deadline) fail("the broker does not acknowledge the subscription to %s", filter);
    }
    return client;
}
