#ifndef SETTINGS2MQTT_CMOSQUITTO_SHIM_H
#define SETTINGS2MQTT_CMOSQUITTO_SHIM_H

#include <mosquitto.h>
#include <mqtt_protocol.h>

#endif
