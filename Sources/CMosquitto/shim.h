#ifndef SETTINGS2MQTT_CMOSQUITTO_SHIM_H
#define SETTINGS2MQTT_CMOSQUITTO_SHIM_H

#include <errno.h>
#include <mosquitto.h>
#include <mqtt_protocol.h>

#include "tls.h"

/// Connects, and hands out `errno` as the library left it: the system's error for MOSQ_ERR_ERRNO, getaddrinfo's for
/// MOSQ_ERR_EAI. Swift could not read it before something else changes it.
static inline int mqtt_connect(struct mosquitto *client, const char *host, int port, int keep_alive,
                               const mosquitto_property *properties, int *error_number) {
    errno = 0;
    int result = mosquitto_connect_bind_v5(client, host, port, keep_alive, NULL, properties);
    *error_number = errno;
    return result;
}

/// Reads what has arrived, and hands out `errno` likewise.
static inline int mqtt_read(struct mosquitto *client, int *error_number) {
    errno = 0;
    int result = mosquitto_loop_read(client, 1);
    *error_number = errno;
    return result;
}

#endif
