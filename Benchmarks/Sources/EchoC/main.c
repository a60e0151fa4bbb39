// The yardstick: the least that libmosquitto can do. Publishes each payload of `<base>/+/+/set` retained to its state topic.
// Usage: EchoC PORT BASE QOS
#include <mosquitto.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

static char filter[256];
static int qos;

static void on_connect(struct mosquitto *client, void *context, int code) {
    (void)context;
    if (code == 0) mosquitto_subscribe(client, NULL, filter, qos);
}

static void on_message(struct mosquitto *client, void *context, const struct mosquitto_message *message) {
    (void)context;
    char topic[256];
    size_t length = strlen(message->topic) - strlen("/set");
    if (length >= sizeof topic) return;
    memcpy(topic, message->topic, length);
    topic[length] = '\0';
    mosquitto_publish(client, NULL, topic, message->payloadlen, message->payload, qos, true);
}

/// Lets the kernel acknowledge what was read at once: the broker holds its next small packet back until then. Linux forgets
/// the option, so it is set after every read that nothing else answers.
static void on_publish(struct mosquitto *client, void *context, int id) {
    (void)context, (void)id;
    int on = 1;
    if (qos > 0) setsockopt(mosquitto_socket(client), IPPROTO_TCP, TCP_QUICKACK, &on, sizeof on);
}

int main(int count, char **arguments) {
    if (count != 4) {
        fprintf(stderr, "usage: EchoC PORT BASE QOS\n");
        return 2;
    }
    snprintf(filter, sizeof filter, "%s/+/+/set", arguments[2]);
    qos = atoi(arguments[3]);

    mosquitto_lib_init();
    struct mosquitto *client = mosquitto_new(arguments[2], true, NULL);
    mosquitto_int_option(client, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5);
    mosquitto_int_option(client, MOSQ_OPT_TCP_NODELAY, 1);
    mosquitto_connect_callback_set(client, on_connect);
    mosquitto_message_callback_set(client, on_message);
    mosquitto_publish_callback_set(client, on_publish);
    int result = mosquitto_connect(client, "127.0.0.1", atoi(arguments[1]), 60);
    if (result == MOSQ_ERR_SUCCESS) result = mosquitto_loop_forever(client, -1, 1);
    fprintf(stderr, "EchoC: %s\n", mosquitto_strerror(result));
    return 1;
}
